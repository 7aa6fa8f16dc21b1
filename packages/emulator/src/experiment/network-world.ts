import type { NetworkPlace } from '@manc/contract/experiment-messages'
import { usualPeople } from '../radio/scene.ts'
import { clamp } from '../radio/units.ts'
import { demandFactors, technologyNames, traffic } from '../world/parameters.ts'
import type { AccessPointSpec } from '../world/types.ts'
import { startOfDay, warmUpS } from './plan.ts'
import type { BuiltWorld } from './worlds.ts'

/** Part of the seeds of access points. */
const name = 'network'

/**
 * A world like the network at one time, which is measured for so many seconds. What is not known differs between seeds: the places of
 * clients, their radios, channels and shadowing.
 */
export function networkWorld(places: readonly NetworkPlace[], seed: string, horizonS: number): BuiltWorld {
  const durationS = warmUpS + horizonS
  const accessPoints = places.map(
    ({ ap_id: id, technology, latitude, longitude, clients, mbps_per_client: mbps }): AccessPointSpec => ({
      id,
      technology,
      seed: `${name} ${seed} ${id}`,
      network: `${name} ${seed}`,
      latitude,
      longitude,
      // As many as were attached are there at the same time.
      devices: Math.round(clients / usualPeople),
      scenario: 'steady',
      durationS,
      ...(mbps !== null && { mix: mixOf(technology, mbps) }),
    }),
  )
  return {
    spec: { accessPoints, startMs: startOfDay(8) },
    slices: [{ fromS: 0, measuredS: warmUpS, toS: durationS }],
  }
}

/** Browsing and uploads, so that a client asks for this much on average, as far as both can. */
function mixOf(technology: NetworkPlace['technology'], mbps: number): Required<AccessPointSpec>['mix'] {
  const wanted = mbps / (demandFactors[technologyNames.indexOf(technology)] as number)
  const { web, upload } = traffic
  const part = clamp((wanted - web.mbps) / (upload.mbps - web.mbps), 0, 1)
  return { web: 1 - part, upload: part }
}
