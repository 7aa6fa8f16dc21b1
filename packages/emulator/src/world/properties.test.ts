import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scenarios, technologies } from '../radio/index.ts'
import { ap, campus, present, run, startMs, textOf, worldOf } from './test-worlds.ts'
import type { AccessPointSpec } from './types.ts'
import { World } from './world.ts'

const mobilities = ['sitting', 'mixed', 'walking'] as const

const accessPoints = fc.array(
  fc.record({
    technology: fc.constantFrom(...technologies),
    east: fc.integer({ min: -60, max: 60 }),
    north: fc.integer({ min: -60, max: 60 }),
    devices: fc.integer({ min: 0, max: 40 }),
    scenario: fc.constantFrom(...scenarios),
    mobility: fc.constantFrom(...mobilities),
    floor: fc.integer({ min: 0, max: 2 }),
    durationS: fc.integer({ min: 20, max: 200 }),
  }),
  { minLength: 1, maxLength: 10 },
)
type Drawn = typeof accessPoints extends fc.Arbitrary<infer Value> ? Value : never

const commands = fc.array(
  fc.record({
    second: fc.integer({ min: 1, max: 45 }),
    index: fc.nat(9),
    command: fc.constantFrom(
      'reboot',
      'power_off',
      'power_on',
      'sleep',
      'wake',
      'set_power 20',
      'set_channel 6',
      'set_channel 36',
      'steer_client',
      'steer to',
    ),
    target: fc.nat(9),
  }),
  { maxLength: 8 },
)

const specsOf = (drawn: Drawn): AccessPointSpec[] =>
  drawn.map(({ east, north, technology, ...more }, n) => ({
    ...ap(technology, [east, north], more),
    id: `emu-${technology.toLowerCase()}-0123abcd-${n + 1}`,
    seed: `property ${n}`,
  }))

/** Refusals are part of it: they say what to do next. */
function order(world: World, index: number, command: string, target: number): void {
  const id = world.accessPoints[index % world.accessPoints.length]?.spec.id ?? ''
  const to = world.accessPoints[target % world.accessPoints.length]?.spec.id ?? ''
  try {
    world.command(id, command === 'steer to' ? `steer_client ${to} 3` : command)
  } catch (error) {
    if (!(error as Error).message.endsWith('.')) throw error
  }
}

const slightly = 1 + 1e-9

/** What is wrong with the current second; collected, since expectations of every client would take most of the time. */
function faultsOf(world: World): string[] {
  const faults: string[] = []
  const expectThat = (isTrue: boolean, what: string) => {
    if (!isTrue) faults.push(`${what} in second ${world.second}`)
  }
  const attached = new Map<string, number>()
  const used = new Map<string, number>()
  const delivered = new Map<string, number>()
  for (let client = 0; client < world.clients; client++) {
    const { accessPoint: id, rateMbps, offeredMbps, deliveredMbps } = world.clientState(client)
    expectThat(
      deliveredMbps >= 0 && deliveredMbps <= offeredMbps * slightly,
      `client ${client} gets more than it offers`,
    )
    if (id === undefined || world.devicesOf(client) === 0) {
      expectThat(id === undefined && deliveredMbps === 0, `client ${client} is not there, and attached`)
      continue
    }
    attached.set(id, (attached.get(id) ?? 0) + world.devicesOf(client))
    delivered.set(id, (delivered.get(id) ?? 0) + deliveredMbps)
    if (deliveredMbps > 0) used.set(id, (used.get(id) ?? 0) + deliveredMbps / rateMbps)
  }
  for (const { spec, clients, deliveredMbps, available, isOn, offeredMbps } of world.accessPoints) {
    const { id } = spec
    // Each client is counted at one access point, and at no other.
    expectThat((attached.get(id) ?? 0) === clients, `${id} counts ${clients} clients`)
    expectThat(
      (used.get(id) ?? 0) <= available * slightly && available <= 1,
      `${id} uses more than its capacity`,
    )
    expectThat(deliveredMbps <= offeredMbps * slightly, `${id} delivers more than is offered`)
    const difference = Math.abs((delivered.get(id) ?? 0) - deliveredMbps)
    expectThat(difference <= 1e-6 * (1 + deliveredMbps), `the sum of ${id} differs`)
    expectThat(isOn || deliveredMbps === 0, `${id} is off and delivers`)
    expectThat(
      Object.values(world.sampleOf(id) ?? {}).every(Number.isFinite),
      `${id} has a sample without a number`,
    )
  }
  return faults
}

describe('any world', () => {
  it('conserves: each client is in at most one cell, delivered is at most offered and at most the capacity', () => {
    fc.assert(
      fc.property(accessPoints, commands, (drawn, orders) => {
        const world = new World({ accessPoints: specsOf(drawn), startMs }, 'property')
        for (let s = 0; s < 50; s++) {
          world.step()
          expect(faultsOf(world)).toEqual([])
          for (const { second, index, command, target } of orders)
            if (second === s) order(world, index, command, target)
        }
      }),
      { numRuns: 60, seed: 19 },
    )
  })

  it('is the same, byte for byte, for the same seed and commands', () => {
    fc.assert(
      fc.property(accessPoints, commands, (drawn, orders) => {
        const [one, same] = [0, 1].map(
          () => new World({ accessPoints: specsOf(drawn), startMs }, 'property'),
        ) as [World, World]
        for (let s = 0; s < 40; s++)
          for (const world of [one, same]) {
            world.step()
            for (const { second, index, command, target } of orders)
              if (second === s) order(world, index, command, target)
          }
        expect(textOf(same)).toBe(textOf(one))
      }),
      { numRuns: 25, seed: 20 },
    )
  })

  it('never uses more than a second of a channel, among WiFi cells that all hear each other', () => {
    const cells = fc.array(
      fc.record({ east: fc.integer({ min: 0, max: 14 }), devices: fc.integer({ min: 0, max: 400 }) }),
      { minLength: 2, maxLength: 8 },
    )
    fc.assert(
      fc.property(cells, (drawn) => {
        const specs = drawn.map(({ east, devices }, n) =>
          ap('WiFi', [east], { devices, seed: `clique ${n}` }),
        )
        const world = worldOf(specs)
        for (const { id } of specs) world.command(id, 'set_channel 36')
        run(world, 15, () => {
          const airtime = world.accessPoints.reduce(
            (sum, one) => sum + Math.min(one.needed, one.available),
            0,
          )
          expect(airtime).toBeLessThanOrEqual(slightly)
        })
      }),
      { numRuns: 30, seed: 21 },
    )
  })
})

describe('a world', () => {
  const specs = campus([2, 10, 10], [30, 12, 6])

  it('differs for another seed, and gives the same on another day unless a scenario follows the clock', () => {
    const make = (more: Partial<AccessPointSpec> = {}, at = startMs) =>
      textOf(
        run(new World({ accessPoints: specs.map((spec) => ({ ...spec, ...more })), startMs: at }, 'one'), 60),
      )
    expect(make()).toBe(make({}, startMs + 45_678_901))
    expect(make({ seed: 'another' })).not.toBe(make())
    expect(make({ scenario: 'daily' })).not.toBe(make({ scenario: 'daily' }, startMs + 45_678_901))
  })

  it('that begins later has nearly the same attachments after two minutes: only they have a memory', () => {
    const whole = run(worldOf(specs), 900)
    const late = run(new World({ accessPoints: specs, startMs }, 'test', { fromS: 780 }), 120)
    expect(late.second).toBe(whole.second)
    const there = present(whole)
    const same = there.filter(
      ({ client, accessPoint }) => late.clientState(client).accessPoint === accessPoint,
    )
    expect(late.clientState(7).x).toBe(whole.clientState(7).x)
    expect(same.length / there.length).toBeGreaterThan(0.95)
  })

  it('of more devices than clients counts groups', () => {
    const world = run(
      worldOf([ap('WiFi', [0], { devices: 1_000_000 }), ap('5G', [50], { devices: 10 ** 15 })]),
      3,
    )
    expect(world.clients).toBeLessThanOrEqual(20_000)
    const devices = present(world).reduce((sum, { client }) => sum + world.devicesOf(client), 0)
    expect(devices / (0.6 * (10 ** 15 + 1_000_000))).toBeCloseTo(1, 3)
    expect(faultsOf(world)).toEqual([])
  })

  it('has at most 1,000 access points', () => {
    const many = Array.from({ length: 1001 }, (_, n) => ap('WiFi', [n]))
    expect(() => worldOf(many)).toThrow('at most 1000 access points')
  })
})
