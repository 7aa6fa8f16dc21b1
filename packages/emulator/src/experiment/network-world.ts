import type { NetworkClient, NetworkPlace } from '@manc/contract/experiment-messages'
import { usualPeople } from '../radio/scene.ts'
import { clamp } from '../radio/units.ts'
import { demandFactors, technologyNames, traffic } from '../world/parameters.ts'
import type { AccessPointSpec, MemberSpec } from '../world/types.ts'
import { startOfDay, warmUpS } from './plan.ts'
import type { BuiltWorld } from './worlds.ts'

/** Part of the seeds of access points. */
const name = 'network'

/**
 * A world like the network at one time, which is measured for so many seconds. Clients with measurements hear and ask for what they
 * did. What is not known differs between seeds: where clients walk, the places, radios and traffic of the others, unknown channels.
 */
export function networkWorld(places: readonly NetworkPlace[], seed: string, horizonS: number): BuiltWorld {
  const durationS = warmUpS + horizonS
  const accessPoints = places.map((place): AccessPointSpec => {
    const { ap_id: id, technology, latitude, longitude, clients, mbps_per_client: mbps, members = [] } = place
    const { channel, tx_power_dbm: txPowerDbm, is_off: isOff } = place
    return {
      id,
      technology,
      seed: `${name} ${seed} ${id}`,
      network: `${name} ${seed}`,
      latitude,
      longitude,
      // As many as were attached are there at the same time.
      devices: members.length + Math.round(Math.max(0, clients - members.length) / usualPeople),
      scenario: 'steady',
      durationS,
      ...(mbps !== null && { mix: mixOf(technology, mbps) }),
      ...(members.length > 0 && { members: members.map((member) => memberOf(member, place, places.length)) }),
      ...(channel !== undefined && { channel }),
      ...(txPowerDbm !== undefined && { txPowerDbm }),
      ...(isOff && { isOff }),
    }
  })
  return {
    spec: { accessPoints, startMs: startOfDay(8) },
    slices: [{ fromS: 0, measuredS: warmUpS, toS: durationS }],
    isSteeredLate: true,
  }
}

function memberOf(
  { mbps, heard }: NetworkClient,
  { technology, mbps_per_client: mean }: NetworkPlace,
  places: number,
): MemberSpec {
  return {
    mbps: mbps ?? mean ?? traffic.web.mbps * factorOf(technology),
    heard: heard.filter(([index]) => index < places),
  }
}

/** Browsing and uploads, so that a client asks for this much on average, as far as both can. */
function mixOf(technology: NetworkPlace['technology'], mbps: number): Required<AccessPointSpec>['mix'] {
  const wanted = mbps / factorOf(technology)
  const { web, upload } = traffic
  const part = clamp((wanted - web.mbps) / (upload.mbps - web.mbps), 0, 1)
  return { web: 1 - part, upload: part }
}

const factorOf = (technology: NetworkPlace['technology']): number =>
  demandFactors[technologyNames.indexOf(technology)] as number
