import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Policy, parsePolicy } from '@manc/advisor'
import { type ExperimentWorld, maxSeriesPoints, steeringPolicyNames } from '@manc/contract'
import { describe, expect, it } from 'vitest'
import { worldOf } from './described-world.ts'
import { runExperiment, runNamed } from './run.ts'
import { simulate } from './simulation.ts'

const small: ExperimentWorld = {
  access_points: [
    { technology: '5G', count: 1, clients: 4, east_m: 60 },
    { technology: 'WiFi', count: 3, clients: 10 },
    { technology: 'LiFi', count: 5, clients: 2, room_m: 30 },
  ],
  scenario: 'rush_hour',
}

describe('a run of a policy in a named world', () => {
  it('gives the same figures for the same seed', () => {
    for (const world of ['factory_hall', 'campus_day'] as const) {
      const run = { world, policy: 'energy-first', seed: 'same', part: 0.05 } as const
      expect(runNamed(run)).toEqual(runNamed(run))
    }
  })

  it('delivers no more than was asked for, whatever the policy', () => {
    for (const policy of steeringPolicyNames) {
      const figures = runNamed({ world: 'lecture_rush', policy, seed: 'bounds', part: 0.3 })
      expect(figures.p5_mbps).toBeLessThanOrEqual(figures.asked_p5_mbps)
      expect(figures.mean_mbps).toBeGreaterThan(figures.p5_mbps)
    }
  })

  it('with best experience improves the p5 of a lecture, with fewer ping-pongs than without', () => {
    const [without, ours] = (['none', 'best-experience'] as const).map((policy) =>
      runNamed({ world: 'lecture_rush', policy, seed: 'better', part: 1 }),
    )
    expect(ours?.p5_mbps).toBeGreaterThan(1.3 * (without?.p5_mbps ?? Number.NaN))
    expect(ours?.ping_pongs).toBeLessThan(without?.ping_pongs ?? Number.NaN)
    expect(ours?.outage_s).toBeLessThan(without?.outage_s ?? Number.NaN)
  })
})

describe('a run of an experiment', () => {
  const run = { world: small, duration_s: 300, seed: 'a-1', policy: { name: 'best-experience' } } as const

  it('gives the same bytes again, and others with another seed or policy', () => {
    const text = (more: object) => JSON.stringify(runExperiment({ ...run, ...more }))
    expect(text({})).toBe(text({}))
    expect(text({ seed: 'a-2' })).not.toBe(text({}))
    expect(text({ policy: { name: 'strongest' } })).not.toBe(text({}))
  })

  it('has a point for every ten seconds, and progress from 0 to 1', () => {
    const parts: number[] = []
    const { series } = runExperiment(run, (part) => parts.push(part))
    expect(series.step_s).toBe(10)
    expect(series.s).toEqual(Array.from({ length: 30 }, (_, n) => 10 * n + 9))
    for (const name of ['mean_mbps', 'p5_mbps', 'clients', 'handovers'] as const)
      expect(series[name]).toHaveLength(30)
    expect(Math.max(...series.clients)).toBeGreaterThan(0)
    expect([parts.length, parts.at(-1)]).toEqual([300, 1])
  })

  it('has a bounded number of points, however long it is', () => {
    const one: ExperimentWorld = { access_points: [{ technology: 'WiFi', count: 1, clients: 1 }] }
    const { series } = runExperiment({ world: one, duration_s: 14_400, seed: 'x', policy: {} })
    expect(series.s.length).toBeLessThanOrEqual(maxSeriesPoints)
    expect(series.s.at(-1)).toBe(14_399)
  })

  it('has null for what cannot be measured', () => {
    const empty: ExperimentWorld = { access_points: [{ technology: 'WiFi', count: 1, clients: 0 }] }
    const { figures } = runExperiment({ world: empty, duration_s: 300, seed: 'x', policy: { name: 'dawn' } })
    expect(figures).toMatchObject({ mean_mbps: null, p5_mbps: null, handovers: null })
    // Without light there is no blockage, so no outage of one either.
    expect(figures).toMatchObject({ blockages: 0, outage_s: null, outage_predictable_s: null })
    expect(figures.kwh).toBeGreaterThan(0)
  })

  it('counts refusals in the measured time only, as it counts moves', () => {
    const world = worldOf(small, 'x', 400)
    /** With a policy that asks all clients to move to the last luminaire, which most cannot reach. */
    const refusals = (isDue: (s: number) => boolean) => {
      const decide: Policy['decide'] = ({ s, accessPoints, clients }) => {
        const to = accessPoints.length - 1
        const asked = (from: number) => isDue(s) && from >= 0 && from !== to
        return clients.flatMap(({ accessPoint: from }, client) =>
          asked(from) ? [{ kind: 'steer', client, from, to, expected: { reason: 'test' } }] : [],
        )
      }
      return simulate({ world, seed: 'x', policy: { decide } }).refused
    }
    expect(refusals((s) => s < 100)).toBe(0)
    expect(refusals((s) => s >= 100)).toBeGreaterThan(0)
  })

  it('takes a policy as a document, which decides as the file with the same content', () => {
    const file = path.join(import.meta.dirname, '../../../advisor/policies/best-experience.json')
    const { $schema: _schema, ...document } = parsePolicy(JSON.parse(readFileSync(file, 'utf8')))
    expect(runExperiment({ ...run, policy: { document } })).toEqual(runExperiment(run))
  })
})

describe('a described world', () => {
  it('has its groups on grids, with incomplete last rows', () => {
    const { spec, slices } = worldOf(small, 'x', 400)
    expect(spec.accessPoints.map(({ technology }) => technology)).toEqual([
      '5G',
      ...Array.from({ length: 3 }, () => 'WiFi'),
      ...Array.from({ length: 5 }, () => 'LiFi'),
    ])
    expect(spec.accessPoints.at(-1)).toMatchObject({
      devices: 2,
      roomM: 30,
      scenario: 'rush_hour',
      durationS: 400,
    })
    expect(slices).toEqual([{ fromS: 0, measuredS: 100, toS: 400 }])
  })

  it('by name is shortened by a duration', () => {
    const seconds = (name: ExperimentWorld['name'], durationS?: number) =>
      worldOf({ ...(name && { name }) }, 'x', durationS).slices.reduce(
        (sum, { fromS, toS }) => sum + toS - fromS,
        0,
      )
    expect(seconds('campus_day')).toBe(14_400)
    expect(seconds('campus_day', 7200)).toBe(7200)
    expect(seconds('factory_hall', 3600)).toBe(3600)
    expect(seconds('factory_hall', 14_400)).toBe(7200)
  })
})

describe('a world of the network', () => {
  const place = (ap_id: string, technology: '5G' | 'WiFi', more: object = {}) => ({
    ap_id,
    technology,
    latitude: 51.45,
    longitude: -2.6,
    clients: 12,
    mbps_per_client: 3,
    ...more,
  })
  const places = [
    place('cell', '5G', { latitude: 51.4505 }),
    place('hall', 'WiFi', { clients: 30, mbps_per_client: 6 }),
    place('lobby', 'WiFi', { longitude: -2.5997, clients: 0, mbps_per_client: null }),
  ]
  const run = { world: {}, places, duration_s: 600, seed: 'now-1', policy: {} }

  it('has about as many attached clients as the network has', () => {
    const { series } = runExperiment(run)
    const last = series.clients.slice(12)
    const mean = last.reduce((sum, each) => sum + each, 0) / last.length
    expect(mean).toBeGreaterThan(0.7 * 42)
    expect(mean).toBeLessThan(1.3 * 42)
    expect(series.s.at(-1)).toBe(719)
  })

  it('is the same with a command until it is executed, and another one afterwards', () => {
    const command = { ap_id: 'hall', command: 'power_off' }
    const [without, off] = [runExperiment(run), runExperiment({ ...run, command })]
    const before = off.series.s.filter((s) => s < 120).length
    expect(off.series.mean_mbps.slice(0, before)).toEqual(without.series.mean_mbps.slice(0, before))
    expect(off.figures.kwh).toBeLessThan(without.figures.kwh ?? 0)
    expect(off.series.mean_mbps).not.toEqual(without.series.mean_mbps)
  })

  it('refuses a command that no access point knows, with the reason', () => {
    const command = { ap_id: 'hall', command: 'dance' }
    expect(() => runExperiment({ ...run, command })).toThrow('dance is not known')
  })
})

describe('a world of measured clients', () => {
  const place = (ap_id: string, more: object = {}) => ({
    ap_id,
    technology: 'WiFi' as const,
    latitude: 51.45,
    longitude: -2.6,
    clients: 0,
    mbps_per_client: null,
    channel: 36,
    ...more,
  })
  /** All hear both access points, the first one better. */
  const members = (count: number, mbps: number) =>
    Array.from({ length: count }, () => ({
      mbps,
      heard: [
        [0, -52],
        [1, -66],
      ] as [number, number][],
    }))
  const places = [
    place('hall', { clients: 30, members: members(30, 4) }),
    place('lobby', { longitude: -2.5997, channel: 100 }),
  ]
  const run = { world: {}, places, duration_s: 600, seed: 'now-1', policy: {} }
  const mbpsOf = (more: object = {}) => runExperiment({ ...run, ...more }).figures.p5_mbps ?? Number.NaN

  it('has exactly these clients, which get what they ask for where there is capacity', () => {
    const { series, figures } = runExperiment(run)
    expect(new Set(series.clients)).toEqual(new Set([30]))
    expect(figures.handovers).toBe(0)
    expect(figures.p5_mbps).toBeCloseTo(4, 1)
  })

  it('gives them less where the capacity of their access point and channel is less', () => {
    const crowded = [place('hall', { clients: 400, members: members(400, 4) }), places[1]]
    expect(mbpsOf({ places: crowded })).toBeLessThan(2)
    const steered = { ap_id: 'hall', command: 'steer_client lobby 150' }
    expect(mbpsOf({ places: crowded, command: steered })).toBeGreaterThan(1.05 * mbpsOf({ places: crowded }))
  })

  it('moves them to the other access point that they hear when theirs goes to sleep', () => {
    const { series, figures } = runExperiment({ ...run, command: { ap_id: 'hall', command: 'sleep' } })
    expect(series.clients.at(-1)).toBe(30)
    expect(figures.p5_mbps).toBeGreaterThan(3)
    expect(figures.kwh).toBeLessThan(runExperiment(run).figures.kwh ?? 0)
  })

  it('leaves off what is off, until a command switches it on', () => {
    const off = [places[0], place('lobby', { longitude: -2.5997, channel: 100, is_off: true })]
    const kwh = (more: object) => runExperiment({ ...run, ...more }).figures.kwh ?? Number.NaN
    expect(kwh({ places: off })).toBeLessThan(kwh({}))
    for (const command of ['wake', 'power_on'])
      expect(kwh({ places: off, command: { ap_id: 'lobby', command } })).toBeCloseTo(kwh({}), 1)
  })

  it('is used by policies from the end of the warm-up on', () => {
    const { series } = runExperiment({ ...run, policy: { name: 'strongest' as const } })
    expect(series.handovers.slice(0, 11).reduce((sum, each) => sum + each, 0)).toBe(0)
  })
})
