import { isKpi, kpis } from '@manc/contract/kpis'

type Entry = readonly [label: string, unit?: string]

/** Labels for people and standard units, by the metric name without its unit. */
const catalogue = new Map<string, Entry>(
  Object.entries<Entry>({
    // any technology
    clients: ['Clients'],
    connected_clients: ['Connected clients'],
    connected_devices: ['Connected devices'],
    throughput: ['Throughput', 'Mbit/s'],
    throughput_dl: ['Downlink throughput', 'Mbit/s'],
    throughput_ul: ['Uplink throughput', 'Mbit/s'],
    dl_throughput: ['Downlink throughput', 'Mbit/s'],
    ul_throughput: ['Uplink throughput', 'Mbit/s'],
    goodput: ['Goodput', 'Mbit/s'],
    bandwidth: ['Bandwidth'],
    latency: ['Latency', 'ms'],
    rtt: ['Round-trip time', 'ms'],
    jitter: ['Jitter', 'ms'],
    packet_loss: ['Packet loss', '%'],
    packet_error_rate: ['Packet error rate'],
    load: ['Load'],
    availability: ['Availability', '%'],
    signal_quality: ['Signal quality'],
    power: ['Power', 'W'],
    power_consumption: ['Power consumption', 'W'],
    energy: ['Energy', 'J'],
    temperature: ['Temperature', '°C'],
    humidity: ['Humidity', '%'],
    cpu: ['CPU', '%'],
    cpu_usage: ['CPU usage', '%'],
    cpu_load: ['CPU load'],
    memory: ['Memory', '%'],
    memory_usage: ['Memory usage', '%'],
    disk_usage: ['Disk usage', '%'],
    uptime: ['Uptime', 's'],
    tx: ['Sent'],
    rx: ['Received'],
    tx_errors: ['Errors in sending'],
    rx_errors: ['Errors in receiving'],
    tx_dropped: ['Dropped in sending'],
    rx_dropped: ['Dropped in receiving'],
    tx_rate: ['Sending rate', 'Mbit/s'],
    rx_rate: ['Receiving rate', 'Mbit/s'],
    tx_power: ['Transmit power', 'dBm'],
    handovers: ['Handovers'],
    // 5G
    rsrp: ['RSRP', 'dBm'],
    rsrq: ['RSRQ', 'dB'],
    sinr: ['SINR', 'dB'],
    ss_rsrp: ['SS-RSRP', 'dBm'],
    ss_rsrq: ['SS-RSRQ', 'dB'],
    ss_sinr: ['SS-SINR', 'dB'],
    prb_utilisation: ['PRB utilisation', '%'],
    prb_utilization: ['PRB utilisation', '%'],
    prb_usage: ['PRB usage', '%'],
    connected_ues: ['Connected UEs'],
    active_ues: ['Active UEs'],
    rrc_connections: ['RRC connections'],
    pdu_sessions: ['PDU sessions'],
    cqi: ['CQI'],
    mcs: ['MCS'],
    bler: ['Block error rate', '%'],
    harq_retransmissions: ['HARQ retransmissions'],
    timing_advance: ['Timing advance'],
    // WiFi
    rssi: ['RSSI', 'dBm'],
    signal: ['Signal', 'dBm'],
    signal_strength: ['Signal strength', 'dBm'],
    noise: ['Noise', 'dBm'],
    noise_floor: ['Noise floor', 'dBm'],
    snr: ['SNR', 'dB'],
    channel: ['Channel'],
    channel_width: ['Channel width', 'MHz'],
    frequency: ['Frequency', 'MHz'],
    channel_utilisation: ['Channel utilisation', '%'],
    channel_utilization: ['Channel utilisation', '%'],
    airtime: ['Airtime', '%'],
    airtime_utilisation: ['Airtime utilisation', '%'],
    airtime_utilization: ['Airtime utilisation', '%'],
    retries: ['Retries'],
    retry_rate: ['Retry rate', '%'],
    phy_rate: ['PHY rate', 'Mbit/s'],
    bitrate: ['Bit rate', 'Mbit/s'],
    beacon_loss: ['Lost beacons'],
    // LiFi
    illuminance: ['Illuminance', 'lx'],
    optical_power: ['Optical power', 'mW'],
    blockage: ['Blockage'],
    line_of_sight: ['Line of sight'],
    dimming: ['Dimming', '%'],
    ambient_light: ['Ambient light', 'lx'],
    led_current: ['LED current', 'mA'],
    led_temperature: ['LED temperature', '°C'],
  }),
)

/** Units by the last word of a metric name. */
const units = new Map(
  Object.entries({
    ms: 'ms',
    us: 'µs',
    s: 's',
    sec: 's',
    secs: 's',
    seconds: 's',
    min: 'min',
    minutes: 'min',
    h: 'h',
    hours: 'h',
    pct: '%',
    percent: '%',
    percentage: '%',
    db: 'dB',
    dbm: 'dBm',
    dbi: 'dBi',
    bps: 'bit/s',
    kbps: 'kbit/s',
    mbps: 'Mbit/s',
    gbps: 'Gbit/s',
    bytes: 'B',
    kb: 'kB',
    mb: 'MB',
    gb: 'GB',
    kib: 'KiB',
    mib: 'MiB',
    gib: 'GiB',
    bits: 'bit',
    packets: 'packets',
    frames: 'frames',
    w: 'W',
    mw: 'mW',
    kw: 'kW',
    watts: 'W',
    wh: 'Wh',
    kwh: 'kWh',
    j: 'J',
    v: 'V',
    mv: 'mV',
    volts: 'V',
    ma: 'mA',
    hz: 'Hz',
    khz: 'kHz',
    mhz: 'MHz',
    ghz: 'GHz',
    lux: 'lx',
    lx: 'lx',
    lm: 'lm',
    lumens: 'lm',
    c: '°C',
    celsius: '°C',
    m: 'm',
    km: 'km',
    nm: 'nm',
    deg: '°',
    degrees: '°',
  }),
)

/** Words with capital letters; all others are lower case. */
const spellings = new Map(
  (
    '5G AP BLER CPU CQI DHCP DL DNS GPS GPU HARQ ID IO IP LAN LED LiFi LTE MAC MCS MIMO NR PCI PDU PHY PRB QoS ' +
    'RAM RF RRC RSRP RSRQ RSSI RTT RX SINR SNR SSID TCP TX UDP UE UEs UL VLAN WAN WiFi'
  )
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
)

const perSecond = new Set(['s', 'sec', 'second'])
const maxCachedLabels = 5000
const labels = new Map<string, string>()

/** A label with its unit: of the KPI, from the catalogue, otherwise derived from the name. */
export function labelOf(name: string): string {
  const known = labels.get(name)
  if (known !== undefined) return known
  const label = makeLabel(name)
  if (labels.size >= maxCachedLabels) labels.clear()
  labels.set(name, label)
  return label
}

function makeLabel(name: string): string {
  if (isKpi(name)) return labelWithUnit(kpis[name])
  const words = wordsOf(name)
  const isRate = words.length > 2 && words.at(-2) === 'per' && perSecond.has(words.at(-1) ?? '')
  if (isRate) words.splice(-2)
  // A name that is only a unit, such as `ms`, is its own label.
  const unit = words.length > 1 ? units.get(words.at(-1) ?? '') : undefined
  if (unit !== undefined) words.pop()
  const [label, standardUnit] = catalogue.get(words.join('_')) ?? [sentenceOf(words, name)]
  const shown = isRate ? `${unit ?? '1'}/s` : (unit ?? standardUnit)
  return labelWithUnit({ label, unit: shown })
}

const labelWithUnit = ({ label, unit }: { label: string; unit: string | undefined }): string =>
  unit ? `${label} (${unit})` : label

/** `packetLossPct`, `packet_loss.pct` and `packet-loss pct` have the same three words. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}%]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

function sentenceOf(words: readonly string[], name: string): string {
  const text = words.map((word) => spellings.get(word) ?? word).join(' ')
  return text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1)
}
