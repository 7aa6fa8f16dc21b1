import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { Cell, type CellOptions, type Scenario, scenarios, type Technology, technologies } from './index.ts'

const startMs = Date.UTC(2026, 2, 10, 8)
const hourMs = 3_600_000
const devicesOf = { '5G': 80, WiFi: 30, LiFi: 6 }

function cellOf(technology: Technology, scenario: Scenario, more: Partial<CellOptions> = {}): Cell {
  return new Cell({
    technology,
    scenario,
    seed: 'seed',
    devices: devicesOf[technology],
    latitude: 48,
    longitude: 11,
    startMs,
    durationS: 3600,
    ...more,
  })
}

type Sample = ReturnType<Cell['sampleAt']>

const every = <Value>(fromMs: number, toMs: number, stepMs: number, value: (ms: number) => Value): Value[] =>
  Array.from({ length: Math.ceil((toMs - fromMs) / stepMs) }, (_, n) => value(fromMs + n * stepMs))

/** The mean of a metric over a part of the hour, over many seeds. */
function meanOf(
  technology: Technology,
  scenario: Scenario,
  metric: string,
  [from, to]: readonly [number, number],
  prepare: (cell: Cell) => void = () => {},
): number {
  const values = Array.from({ length: 12 }, (_, seed) => {
    const cell = cellOf(technology, scenario, { seed: `mean ${seed}` })
    prepare(cell)
    const sampleAt = (ms: number) => cell.sampleAt(ms)?.[metric]
    return every(startMs + from * hourMs, startMs + to * hourMs, 20_000, sampleAt)
  })
    .flat()
    .filter((value) => value !== undefined)
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

const common = [
  'clients',
  'throughput_mbps',
  'latency_ms',
  'packet_loss_pct',
  'load_pct',
  'signal_quality',
  'power_w',
  'uptime_s',
]
/** From switched off to all that it can take. */
const wattsOf = { '5G': [78, 145], WiFi: [3, 13], LiFi: [0.5, 50] } as const
const boundsOf: Record<string, readonly [number, number]> = {
  latency_ms: [0, 3000],
  signal_quality: [0, 1],
  rsrp_dbm: [-156, -31],
  rsrq_db: [-43, 0],
  sinr_db: [-23, 30],
  rssi_dbm: [-95, -10],
  noise_dbm: [-95, -84],
  // The most is a device that lies on the access point.
  snr_db: [-30, 80],
  mcs: [0, 11],
  cqi: [1, 15],
  phy_rate_mbps: [17, 1201],
  illuminance_lux: [0, 2000],
  blockage: [0, 1],
  throughput_mbps: [0, 1000],
}

function faultsOf(sample: Record<string, number>, technology: Technology, devices: number): string[] {
  const names = Object.keys(sample)
  const faults = common.filter((name) => !(name in sample)).map((name) => `${name} is missing`)
  if (names.length > 20) faults.push('too many')
  if (!Number.isInteger(sample['clients'])) faults.push('half a client')
  for (const name of names) {
    const value = sample[name] as number
    const [least, most] =
      name === 'clients' || name === 'connected_ues'
        ? [0, devices]
        : name === 'power_w'
          ? wattsOf[technology]
          : name.endsWith('_pct')
            ? [0, 100]
            : (boundsOf[name] ?? [-1e9, 1e9])
    const isInside = value >= least && value <= most
    const isRounded = Math.abs(value * 1000 - Math.round(value * 1000)) < 1e-3
    if (!isInside || !isRounded) faults.push(`${technology} ${name} is ${value} with ${devices} devices`)
  }
  return faults
}

describe('every sample', () => {
  it('is within bounds, whatever the seed, scenario, hour and commands', () => {
    let count = 0
    const faults: string[] = []
    for (let n = 0; n < 360; n++) {
      const technology = technologies[n % 3] as Technology
      const scenario = scenarios[Math.floor(n / 3) % scenarios.length] as Scenario
      const devices = [0, 1, 2, 7, 40, 333, 5000][n % 7] as number
      const place = { latitude: ((n * 37) % 181) - 90, longitude: ((n * 101) % 361) - 180 }
      const cell = cellOf(technology, scenario, { seed: `bounds ${n}`, devices, durationS: 86_400, ...place })
      for (let step = 0; step < 48; step++) {
        const ms = startMs + step * 1_800_000 + n * 997
        if (step === 10) cell.setPower({ '5G': 20, WiFi: 0, LiFi: 27 }[technology], ms)
        if (step === 20) cell.setPower({ '5G': 41, WiFi: 23, LiFi: 41.5 }[technology], ms)
        if (step === 30) cell.setChannel({ '5G': 630_000, WiFi: 6, LiFi: 2 }[technology], ms)
        if (step === 40) cell.powerOff(ms)
        if (step === 43) cell.powerOn(ms)
        for (const later of [0, 13_000, 35_000]) {
          const sample = cell.sampleAt(ms + later)
          if (!sample) continue
          count += 1
          faults.push(...faultsOf(sample, technology, devices))
        }
      }
    }
    expect(faults.slice(0, 10)).toEqual([])
    expect(count).toBeGreaterThan(45_000)
  })
})

describe('the same seed', () => {
  const moments = every(startMs, startMs + hourMs, 7000, (ms) => ms)

  it('gives the same series, and another one another', () => {
    for (const technology of technologies)
      for (const scenario of scenarios) {
        const one = cellOf(technology, scenario)
        const same = cellOf(technology, scenario)
        const other = cellOf(technology, scenario, { seed: 'other' })
        const series = (cell: Cell) => moments.map((ms) => cell.sampleAt(ms))
        expect(series(same)).toEqual(series(one))
        expect(series(other)).not.toEqual(series(one))
      }
  })

  it('does the same tomorrow, unless it goes by the clock', () => {
    const later = 61_234_567
    for (const technology of technologies)
      for (const scenario of scenarios) {
        const today = cellOf(technology, scenario)
        const tomorrow = cellOf(technology, scenario, { startMs: startMs + later })
        today.reboot(startMs + 60_000)
        tomorrow.reboot(startMs + later + 60_000)
        const first = moments.map((ms) => today.sampleAt(ms))
        const again = moments.map((ms) => tomorrow.sampleAt(ms + later))
        expect(isDeepStrictEqual(again, first)).toBe(scenario !== 'daily')
      }
  })

  it('gives the same however often, in whatever order and from wherever it is asked', () => {
    for (const technology of technologies)
      for (const scenario of scenarios) {
        const fine = cellOf(technology, scenario)
        const seen = new Map<number, Sample>(
          every(startMs, startMs + hourMs, 1000, (ms) => [ms, fine.sampleAt(ms)] as const),
        )
        const coarse = cellOf(technology, scenario)
        for (let ms = startMs; ms < startMs + hourMs; ms += 60_000)
          expect(coarse.sampleAt(ms)).toEqual(seen.get(ms))
        // As after a crash: another process goes on in the middle.
        const restarted = cellOf(technology, scenario)
        for (let ms = startMs + 1_800_000; ms < startMs + hourMs; ms += 5000)
          expect(restarted.sampleAt(ms)).toEqual(seen.get(ms))
        for (const ms of [...seen.keys()].toReversed().filter((_, n) => n % 97 === 0))
          expect(fine.sampleAt(ms)).toEqual(seen.get(ms))
      }
  })

  it('and the same commands give the same, and do not change what was before', () => {
    for (const technology of technologies) {
      const one = cellOf(technology, 'steady')
      const before = moments.map((ms) => one.sampleAt(ms))
      const command = (cell: Cell) => {
        cell.setPower({ '5G': 30, WiFi: 10, LiFi: 36 }[technology], startMs + 600_000)
        cell.reboot(startMs + 1_200_000)
        cell.powerOff(startMs + 2_400_000)
      }
      command(one)
      const after = moments.map((ms) => one.sampleAt(ms))
      const isBefore = (_: Sample, n: number) => (moments[n] as number) < startMs + 600_000
      expect(after.filter(isBefore)).toEqual(before.filter(isBefore))
      expect(after).not.toEqual(before)
      const other = cellOf(technology, 'steady')
      command(other)
      expect(moments.map((ms) => other.sampleAt(ms))).toEqual(after)
    }
  })
})

describe('a cell', () => {
  it('moves: clients come and go, and signals change', () => {
    for (const technology of technologies) {
      const cell = cellOf(technology, 'steady')
      const samples = every(startMs, startMs + hourMs, 10_000, (ms) => cell.sampleAt(ms))
      const different = (metric: string) => new Set(samples.map((sample) => sample?.[metric])).size
      expect(different('clients')).toBeGreaterThan(2)
      expect(different('signal_quality')).toBeGreaterThan(20)
      expect(different('throughput_mbps')).toBeGreaterThan(100)
    }
  })

  it('has more load, latency and power with more devices', () => {
    for (const technology of technologies) {
      const means = [0.3, 1, 3].map((factor) => {
        const devices = Math.round(devicesOf[technology] * factor)
        const samples = Array.from({ length: 20 }, (_, seed) => {
          const cell = cellOf(technology, 'steady', { devices, seed: `load ${seed}` })
          return every(startMs, startMs + hourMs, 60_000, (ms) => cell.sampleAt(ms) ?? {})
        }).flat()
        const mean = (metric: string) =>
          samples.reduce((sum, sample) => sum + (sample[metric] ?? 0), 0) / samples.length
        return ['clients', 'throughput_mbps', 'load_pct', 'latency_ms', 'power_w'].map(mean)
      })
      for (const n of [0, 1, 2, 3, 4]) {
        expect(means[1]?.[n]).toBeGreaterThan(means[0]?.[n] ?? NaN)
        expect(means[2]?.[n]).toBeGreaterThan(means[1]?.[n] ?? NaN)
      }
    }
  })

  it('has the rhythm of the day', () => {
    const clientsAt = (technology: Technology, hour: number) => {
      const cells = Array.from({ length: 20 }, (_, seed) =>
        cellOf(technology, 'daily', { seed: `day ${seed}`, longitude: 0 }),
      )
      const ms = Date.UTC(2026, 2, 10, hour, 30)
      return cells.reduce((sum, cell) => sum + (cell.sampleAt(ms)?.['clients'] ?? 0), 0)
    }
    for (const technology of ['WiFi', 'LiFi'] as const)
      expect(clientsAt(technology, 14)).toBeGreaterThan(5 * clientsAt(technology, 3))
    expect(clientsAt('5G', 20)).toBeGreaterThan(1.3 * clientsAt('5G', 10))
    expect(clientsAt('5G', 10)).toBeGreaterThan(2 * clientsAt('5G', 3))
  })
})

describe('a scenario', () => {
  const early = [0, 0.12] as const
  const middle = [0.46, 0.54] as const

  it('rush_hour has its bell in the middle', () => {
    for (const technology of technologies)
      for (const metric of ['clients', 'throughput_mbps', 'load_pct', 'power_w', 'latency_ms'])
        expect(meanOf(technology, 'rush_hour', metric, middle)).toBeGreaterThan(
          meanOf(technology, 'rush_hour', metric, early),
        )
  })

  it('lifi_beam_blocked takes clients from LiFi, which come to the others at the same time', () => {
    const lamp = cellOf('LiFi', 'lifi_beam_blocked')
    const samples = every(startMs, startMs + hourMs, 10_000, (ms) => [ms, lamp.sampleAt(ms)] as const)
    const blocked = samples.filter(([, sample]) => sample?.['blockage'] === 1).map(([ms]) => ms)
    const free = samples.filter(([, sample]) => sample?.['blockage'] === 0).map(([ms]) => ms)
    const begins = blocked.filter((ms) => free.includes(ms - 10_000)).length
    expect(begins).toBe(6)
    const mean = (technology: Technology, metric: string, moments: readonly number[]) => {
      let sum = 0
      for (let seed = 0; seed < 10; seed++) {
        const cell = cellOf(technology, 'lifi_beam_blocked', { seed: `blocked ${seed}` })
        for (const ms of moments) sum += cell.sampleAt(ms)?.[metric] ?? 0
      }
      return sum / moments.length
    }
    expect(mean('LiFi', 'clients', blocked)).toBeLessThan(0.4 * mean('LiFi', 'clients', free))
    expect(mean('LiFi', 'signal_quality', blocked)).toBeLessThan(0.6 * mean('LiFi', 'signal_quality', free))
    expect(mean('LiFi', 'illuminance_lux', blocked)).toBeLessThan(mean('LiFi', 'illuminance_lux', free))
    for (const technology of ['5G', 'WiFi'] as const)
      expect(mean(technology, 'clients', blocked)).toBeGreaterThan(1.2 * mean(technology, 'clients', free))
  })

  it('backhaul_cut leaves the radio fine and carries nothing', () => {
    for (const technology of technologies) {
      const of = (metric: string, part: readonly [number, number]) =>
        meanOf(technology, 'backhaul_cut', metric, part)
      expect(of('throughput_mbps', middle)).toBeLessThan(0.01 * of('throughput_mbps', early))
      expect(of('latency_ms', middle)).toBeGreaterThan(1000)
      expect(of('packet_loss_pct', middle)).toBeGreaterThan(90)
      expect(of('signal_quality', middle)).toBeGreaterThan(0.7 * of('signal_quality', early))
      expect(of('clients', middle)).toBeGreaterThan(0.7 * of('clients', early))
      expect(of('latency_ms', [0.7, 0.8])).toBeLessThan(100)
    }
  })

  it('access_point_failure is silence once, at a time of its own, and a boot after it', () => {
    const begins = new Set<number>()
    for (let seed = 0; seed < 10; seed++) {
      const cell = cellOf('WiFi', 'access_point_failure', { seed: `failure ${seed}` })
      const samples = every(startMs, startMs + hourMs, 1000, (ms) => cell.sampleAt(ms))
      const from = samples.findIndex((sample) => sample === undefined)
      const to = samples.findLastIndex((sample) => sample === undefined)
      begins.add(from)
      expect(samples.filter((sample) => sample === undefined)).toHaveLength(to - from + 1)
      expect(to - from + 1).toBe(540)
      expect(samples[to + 1]?.['clients']).toBe(0)
      expect(samples[to + 100]?.['uptime_s']).toBeLessThan(100)
      expect(samples[from - 1]?.['uptime_s']).toBeGreaterThan(1000)
    }
    expect(begins.size).toBe(10)
  })
})

describe('a command', () => {
  const at = startMs + 600_000
  const after = [0.2, 0.9] as const
  const signalOf = { '5G': 'rsrp_dbm', WiFi: 'rssi_dbm', LiFi: 'snr_db' }

  it('set_power moves the signal, who attaches, and the power it takes', () => {
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

  it('reboot is half a minute without a radio, and clients find back', () => {
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

  it('that it cannot carry out is refused in words', () => {
    const cell = cellOf('WiFi', 'steady')
    expect(() => cell.setPower(60, at)).toThrow('WiFi sends with 0 to 23 dBm here.')
    expect(() => cell.setPower(NaN, at)).toThrow(RangeError)
    expect(() => cell.setChannel(14, at)).toThrow('WiFi has these channels here')
  })
})
