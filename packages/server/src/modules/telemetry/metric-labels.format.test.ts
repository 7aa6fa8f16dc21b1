import { describe, expect, it } from 'vitest'
import { labelOf } from './metric-labels.format.ts'

describe('a metric has a label for people', () => {
  it.each([
    ['clients', 'Clients'],
    ['throughput_mbps', 'Throughput (Mbit/s)'],
    ['latency_ms', 'Latency (ms)'],
    ['packet_loss_pct', 'Packet loss (%)'],
    ['load_pct', 'Load (%)'],
    ['signal_quality', 'Signal quality'],
    ['power_w', 'Power (W)'],
    ['rssi', 'RSSI (dBm)'],
    ['rssi_dbm', 'RSSI (dBm)'],
    ['rsrp', 'RSRP (dBm)'],
    ['rsrq_db', 'RSRQ (dB)'],
    ['sinr', 'SINR (dB)'],
    ['snr_db', 'SNR (dB)'],
    ['prb_utilisation_pct', 'PRB utilisation (%)'],
    ['channel_utilization_pct', 'Channel utilisation (%)'],
    ['channelUtilisation', 'Channel utilisation (%)'],
    ['phy_rate', 'PHY rate (Mbit/s)'],
    ['illuminance_lux', 'Illuminance (lx)'],
    ['blockage', 'Blockage'],
    ['temperature_c', 'Temperature (°C)'],
    ['uptime_s', 'Uptime (s)'],
    ['tx_bytes', 'Sent (B)'],
    ['rx_packets', 'Received (packets)'],
    ['rx_bytes_per_s', 'Received (B/s)'],
    ['channel', 'Channel'],
    ['tx_power_dbm', 'Transmit power (dBm)'],
    ['noise_dbm', 'Noise (dBm)'],
    ['connected_ues', 'Connected UEs'],
  ])('from the catalogue: %s is %s', (name, label) => {
    expect(labelOf(name)).toBe(label)
  })

  it.each([
    ['fan_speed', 'Fan speed'],
    ['queueDepth', 'Queue depth'],
    ['queueDelayMs', 'Queue delay (ms)'],
    ['cell.id', 'Cell ID'],
    ['cell-edge rate_kbps', 'Cell edge rate (kbit/s)'],
    ['radio_0_memory_used_mb', 'Radio 0 memory used (MB)'],
    ['errors_per_second', 'Errors (1/s)'],
    ['HTTPErrors', 'Http errors'],
    ['größe_m', 'Größe (m)'],
    ['ms', 'Ms'],
    ['per_s', 'Per (s)'],
    ['constructor', 'Constructor'],
    ['__proto__', 'Proto'],
    ['"}{', '"}{'],
    ['🛰', '🛰'],
  ])('or from its own name: %s is %s', (name, label) => {
    expect(labelOf(name)).toBe(label)
  })
})
