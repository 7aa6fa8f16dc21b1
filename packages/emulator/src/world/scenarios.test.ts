import { describe, expect, it } from 'vitest'
import { type Scenario, type Technology, technologies } from '../radio/index.ts'
import { ap, run, worldOf } from './test-worlds.ts'

const durationS = 600
const devicesOf = { '5G': 80, WiFi: 30, LiFi: 6 }

/** One access point for itself: the mean of a metric over a part of the time, over some seeds. */
function meanOf(
  technology: Technology,
  scenario: Scenario,
  metric: string,
  [from, to]: readonly [number, number],
) {
  const values: number[] = []
  for (let seed = 0; seed < 4; seed++) {
    const spec = ap(technology, [0], {
      scenario,
      durationS,
      devices: devicesOf[technology],
      seed: `scenario ${seed}`,
    })
    const world = worldOf([spec])
    run(world, to * durationS, () => {
      const value = world.sampleOf(spec.id)?.[metric]
      if (world.second >= from * durationS && value !== undefined) values.push(value)
    })
  }
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

describe('a scenario', () => {
  it('rush_hour has its peak in the middle', () => {
    for (const technology of technologies)
      for (const metric of ['clients', 'throughput_mbps', 'load_pct', 'latency_ms'])
        expect(meanOf(technology, 'rush_hour', metric, [0.46, 0.54])).toBeGreaterThan(
          meanOf(technology, 'rush_hour', metric, [0.02, 0.12]),
        )
  })

  it('backhaul_cut leaves the radio on and loses the traffic', () => {
    for (const technology of technologies) {
      const cut = [0.45, 0.55] as const
      expect(meanOf(technology, 'backhaul_cut', 'packet_loss_pct', cut)).toBeGreaterThan(95)
      expect(meanOf(technology, 'backhaul_cut', 'latency_ms', cut)).toBeGreaterThan(1500)
      expect(meanOf(technology, 'backhaul_cut', 'throughput_mbps', cut)).toBeLessThan(0.5)
      expect(meanOf(technology, 'backhaul_cut', 'clients', cut)).toBeGreaterThan(1)
      expect(meanOf(technology, 'backhaul_cut', 'packet_loss_pct', [0.1, 0.3])).toBeLessThan(5)
    }
  })

  it('access_point_failure stops telemetry for a while, and neighbours take over its clients', () => {
    const failing = ap('WiFi', [0], {
      scenario: 'access_point_failure',
      durationS,
      devices: 40,
      seed: 'fails',
    })
    const near = ap('WiFi', [12], { durationS, seed: 'near' })
    const world = worldOf([failing, near])
    let darkS = 0
    let [before, during] = [0, 0]
    run(world, durationS, () => {
      const clients = world.sampleOf(near.id)?.['clients'] ?? 0
      if (world.sampleOf(failing.id)) before = darkS === 0 ? Math.max(before, clients) : before
      else {
        darkS += 1
        if (darkS > 10) during = Math.max(during, clients)
      }
    })
    expect(Math.abs(darkS - 0.15 * durationS)).toBeLessThanOrEqual(2)
    expect(during).toBeGreaterThan(before + 5)
  })

  it('is over after its duration: no samples and no clients', () => {
    const short = ap('WiFi', [0], { durationS: 30, devices: 20 })
    const long = ap('5G', [20], { durationS: 100 })
    const world = run(worldOf([short, long]), 40)
    expect(world.sampleOf(short.id)).toBeUndefined()
    expect(world.sampleOf(long.id)).toMatchObject({ clients: 0 })
  })

  it('daily follows the hour: an office is empty at night', () => {
    const office = ap('WiFi', [0], { scenario: 'daily', devices: 60 })
    const clientsAt = (hour: number) =>
      run(worldOf([office], { startMs: Date.UTC(2026, 2, 10, hour) }), 20).sampleOf(office.id)?.['clients'] ??
      NaN
    expect(clientsAt(14)).toBeGreaterThan(5 * clientsAt(3))
  })
})
