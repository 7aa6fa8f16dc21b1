import { type AccessPointSpec, World, type WorldSpec } from './index.ts'
import { metresPerDegree } from './map.ts'

export const startMs = Date.UTC(2026, 2, 10, 8)

const latitude = 51.45
const longitude = -2.6

/** Degrees for metres east and north of a place in Bristol. */
export const placeAt = (eastM: number, northM = 0) => ({
  latitude: latitude + northM / metresPerDegree,
  longitude: longitude + eastM / metresPerDegree / Math.cos((latitude * Math.PI) / 180),
})

let count = 0

/** An access point, by default without clients of its own. */
export function ap(
  technology: AccessPointSpec['technology'],
  [eastM, northM = 0]: readonly [number, number?],
  more: Partial<AccessPointSpec> = {},
): AccessPointSpec {
  count += 1
  return {
    id: `emu-${technology.toLowerCase()}-0123abcd-${count}`,
    technology,
    seed: `${technology} ${eastM} ${northM}`,
    network: 'test',
    ...placeAt(eastM, northM),
    devices: 0,
    scenario: 'steady',
    durationS: 86_400,
    ...more,
  }
}

export function worldOf(accessPoints: readonly AccessPointSpec[], more: Partial<WorldSpec> = {}): World {
  return new World({ accessPoints, startMs, ...more }, 'test')
}

export function run(world: World, seconds: number, each: () => void = () => {}): World {
  for (let n = 0; n < seconds; n++) {
    world.step()
    each()
  }
  return world
}

/** A campus: 5G outdoors, WiFi in every building, LiFi in some rooms. */
export function campus(
  counts: readonly [number, number, number],
  devices: readonly [number, number, number],
) {
  const spacing = [250, 35, 7]
  return (['5G', 'WiFi', 'LiFi'] as const).flatMap((technology, n) =>
    Array.from({ length: counts[n] as number }, (_, index) => {
      const angle = 2 * Math.PI * index * 0.381_966
      const metres = (spacing[n] as number) * Math.sqrt(index)
      return ap(technology, [metres * Math.cos(angle), metres * Math.sin(angle)], {
        seed: `campus ${technology} ${index}`,
        devices: devices[n] as number,
      })
    }),
  )
}

/** All that can be seen of a world in its current second, as text. */
export const textOf = (world: World): string =>
  JSON.stringify([
    world.second,
    world.accessPoints.map(({ spec }) => world.sampleOf(spec.id)),
    Array.from({ length: world.clients }, (_, client) => world.clientState(client)),
    world.moves,
  ])

/** Clients that are there, with their states. */
export const present = (world: World) =>
  Array.from({ length: world.clients }, (_, client) => client)
    .filter((client) => world.devicesOf(client) > 0)
    .map((client) => ({ client, ...world.clientState(client) }))
