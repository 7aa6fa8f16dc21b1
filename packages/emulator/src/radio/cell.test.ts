import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Cell, type Scenario, scenarios, type Technology, technologies } from './index.ts'
import { cellOf, devicesOf, every, hourMs, type Sample, startMs } from './test-cells.ts'

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

  it('gives the same series on another day, unless the scenario follows the clock', () => {
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

  it('gives the same samples at any rate, in any order and from any start', () => {
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

  it('and the same commands give the same samples, and commands do not change earlier samples', () => {
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
