import { describe, expect, it } from 'vitest'
import { policies } from './parameters.ts'
import { ap, campus, run, worldOf } from './test-worlds.ts'
import type { World } from './world.ts'

const heardBy = (world: World, client: number) => {
  const found = new Map<number, number>()
  world.heardBy(client, (index, signal) => found.set(index, signal))
  return found
}

describe('what a client hears', () => {
  it('are access points that it could connect to, with the signals that it would have there', () => {
    const world = run(worldOf(campus([2, 6, 4], [10, 10, 5])), 30)
    let heard = 0
    for (let client = 0; client < world.clients; client++) {
      if (world.devicesOf(client) === 0) continue
      for (const [index, signal] of heardBy(world, client)) {
        const one = world.accessPoints[index] as (typeof world.accessPoints)[0]
        expect(signal).toBe(world.signalTo(client, one))
        expect(signal).toBeGreaterThanOrEqual(policies[one.technology]?.min ?? Number.NaN)
        heard += 1
      }
      const { accessPoint, signal } = world.clientState(client)
      const own = world.accessPoints.find(({ spec }) => spec.id === accessPoint)
      const isUsable = own !== undefined && signal >= (policies[own.technology]?.min ?? 0)
      expect(isUsable ? heardBy(world, client).get(own.index) : signal).toBe(signal)
    }
    expect(heard).toBeGreaterThan(100)
  })

  it('does not include one that sleeps, and nothing is heard by a client that is not there', () => {
    const near = ap('WiFi', [0], { devices: 20 })
    const world = run(worldOf([near, ap('WiFi', [10])]), 30)
    const present = Array.from({ length: world.clients }, (_, n) => n).filter((n) => world.devicesOf(n) > 0)
    const hearsBoth = present.filter((client) => heardBy(world, client).size === 2)
    expect(hearsBoth.length).toBeGreaterThan(0)
    world.command(near.id, 'sleep')
    for (const client of present) expect(heardBy(world, client).has(0)).toBe(false)
    const absent = Array.from({ length: world.clients }, (_, n) => n).filter((n) => !present.includes(n))
    for (const client of absent) expect(heardBy(world, client).size).toBe(0)
  })
})
