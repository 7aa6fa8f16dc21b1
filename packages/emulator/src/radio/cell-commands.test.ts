import { describe, expect, it } from 'vitest'
import { type Cell, technologies } from './index.ts'
import { cellOf, every, meanOf, startMs } from './test-cells.ts'

describe('a command', () => {
  const at = startMs + 600_000
  const after = [0.2, 0.9] as const
  const signalOf = { '5G': 'rsrp_dbm', WiFi: 'rssi_dbm', LiFi: 'snr_db' }

  it('set_power changes the signal, the number of clients, and the power consumption', () => {
    for (const technology of technologies) {
      const lower = { '5G': 33, WiFi: 9, LiFi: 36 }[technology]
      const weaker = (cell: Cell) => cell.setPower(lower, at)
      for (const metric of [signalOf[technology], 'signal_quality', 'clients', 'power_w', 'tx_power_dbm'])
        expect(meanOf(technology, 'steady', metric, after, weaker)).toBeLessThan(
          meanOf(technology, 'steady', metric, after),
        )
    }
    const dimmed = (cell: Cell) => cell.setPower(37, at)
    expect(meanOf('LiFi', 'steady', 'illuminance_lux', after, dimmed)).toBeLessThan(
      0.9 * meanOf('LiFi', 'steady', 'illuminance_lux', after),
    )
  })

  it('set_channel changes what neighbours do to it', () => {
    for (const technology of technologies) {
      const cell = cellOf(technology, 'steady')
      const { channel } = cell.controlsAt(startMs)
      const other = { '5G': [630_000, 636_666], WiFi: [36, 149], LiFi: [1, 2] }[technology].find(
        (one) => one !== channel,
      ) as number
      const before = cell.sampleAt(at)
      cell.setChannel(other, at)
      const sample = cell.sampleAt(at)
      expect(sample?.['channel']).toBe(other)
      expect({ ...sample, channel, frequency_mhz: 0 }).not.toEqual({ ...before, frequency_mhz: 0 })
    }
    const narrow = (cell: Cell) => cell.setChannel(6, at)
    expect(meanOf('WiFi', 'steady', 'phy_rate_mbps', after, narrow)).toBeLessThan(
      0.5 * meanOf('WiFi', 'steady', 'phy_rate_mbps', after),
    )
  })

  it('reboot switches the radio off for half a minute, then clients reattach', () => {
    for (const technology of technologies) {
      const cell = cellOf(technology, 'steady')
      cell.reboot(at)
      const seconds = every(at, at + 120_000, 1000, (ms) => cell.sampleAt(ms))
      const silent = seconds.findIndex((sample) => sample?.['signal_quality'] !== 0)
      expect(silent).toBeGreaterThanOrEqual(20)
      expect(silent).toBeLessThanOrEqual(40)
      for (const sample of seconds.slice(0, silent))
        expect(sample).toMatchObject({ clients: 0, throughput_mbps: 0, uptime_s: 0 })
      expect(seconds[silent]?.['uptime_s']).toBe(0)
      expect(seconds[silent + 50]?.['uptime_s']).toBeGreaterThanOrEqual(49)
      expect(seconds[silent + 50]?.['clients']).toBeGreaterThan(seconds[silent]?.['clients'] ?? NaN)
    }
  })

  it('power_off takes least power of all, until power_on', () => {
    for (const technology of technologies) {
      const empty = cellOf(technology, 'steady', { devices: 0 })
      const idle = empty.sampleAt(at)?.['power_w'] ?? NaN
      const busy = meanOf(technology, 'rush_hour', 'power_w', [0.45, 0.55])
      empty.powerOff(at)
      const off = empty.sampleAt(at + 60_000)
      expect(off).toMatchObject({ clients: 0, throughput_mbps: 0, signal_quality: 0, load_pct: 0 })
      expect(off?.['power_w']).toBeLessThan(idle)
      expect(idle).toBeLessThan(busy)
      expect(empty.controlsAt(at).powered).toBe(false)
      empty.powerOn(at + 120_000)
      expect(empty.sampleAt(at + 180_000)?.['power_w']).toBeGreaterThan(off?.['power_w'] ?? NaN)
    }
  })

  it('power_on of one that is on does nothing', () => {
    const cell = cellOf('5G', 'steady')
    const before = cell.sampleAt(at + 5000)
    cell.powerOn(at)
    expect(cell.sampleAt(at + 5000)).toEqual(before)
  })

  it('steer_client sends one away for some minutes', () => {
    for (const technology of technologies) {
      const cell = cellOf(technology, 'steady')
      const plain = cellOf(technology, 'steady')
      expect(cell.steer(at, { count: 1, to: undefined })).toBe(1)
      const difference = (ms: number) =>
        (plain.sampleAt(ms)?.['clients'] ?? 0) - (cell.sampleAt(ms)?.['clients'] ?? 0)
      expect(difference(at + 1000)).toBe(1)
      expect(cell.controlsAt(at).steeredAway).toBe(1)
      expect(cell.sampleAt(at + 1000)?.['load_pct']).toBeLessThan(
        plain.sampleAt(at + 1000)?.['load_pct'] ?? NaN,
      )
      expect(difference(at + 301_000)).toBe(0)
    }
    const empty = cellOf('WiFi', 'steady', { devices: 0 })
    expect(() => empty.steer(at, { count: 1, to: undefined })).toThrow('no client')
  })

  it('with an invalid value is rejected with the allowed values', () => {
    const cell = cellOf('WiFi', 'steady')
    expect(() => cell.setPower(60, at)).toThrow('WiFi sends with 0 to 23 dBm here.')
    expect(() => cell.setPower(NaN, at)).toThrow(RangeError)
    expect(() => cell.setChannel(14, at)).toThrow('WiFi has these channels here')
  })
})
