import type { ExperimentWorld } from '@manc/contract'
import { busyMix, grid, Plan, startOfDay, warmUpS } from './plan.ts'
import { type BuiltWorld, partOf, siteOf } from './worlds.ts'

/** As in the contract. */
const defaultSpacingM = { '5G': 300, WiFi: 18, LiFi: 6 } as const
const defaultDurationS = 1800
/** Of a short run not more than this is warm-up. */
const maxWarmUp = 0.25
/** Part of the seeds of access points: another name would give another world. */
const name = 'described'

/** The world of a request, for one seed. Without a duration it has its own. */
export function worldOf(world: ExperimentWorld, seed: string, durationS: number | undefined): BuiltWorld {
  if (world.name !== undefined)
    return siteOf(world.name, seed, durationS === undefined ? 1 : partOf(world.name, durationS))
  const { access_points: groups = [], scenario = 'steady', client_mix: mix = busyMix } = world
  const seconds = durationS ?? defaultDurationS
  const plan = new Plan({ name, seed, scenario, durationS: seconds, mix })
  for (const { technology, count, clients, east_m: eastM = 0, north_m: northM = 0, ...group } of groups) {
    const columns = Math.ceil(Math.sqrt(count))
    const { spacing_m: spacingM = defaultSpacingM[technology], room_m: roomM, mobility } = group
    grid(columns, Math.ceil(count / columns), spacingM, (x, y, n) => {
      // The last row may be incomplete.
      if (n < count)
        plan.add(technology, eastM + x, northM + y, {
          devices: clients,
          ...(roomM !== undefined && { roomM }),
          ...(mobility && { mobility }),
        })
    })
  }
  const measuredS = Math.round(Math.min(warmUpS, maxWarmUp * seconds))
  return {
    spec: { accessPoints: plan.accessPoints, startMs: startOfDay(8) },
    slices: [{ fromS: 0, measuredS, toS: seconds }],
  }
}
