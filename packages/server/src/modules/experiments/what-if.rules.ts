import { experimentLimits, type ValidationItem, type WhatIfCreate } from '@manc/contract'
import type { NetworkPlace } from '@manc/contract/experiment-messages'
import { notFound, Refused } from '../../errors.ts'

/** The policy of runs that execute the command of a what-if. */
export const commandPolicy = 'command'
/** What the others are compared with: clients decide by themselves. */
export const baseline = 'none'

/** What is known of an access point now. */
export interface KnownAgent {
  apId: string
  technology: string
  state: string
  latitude: number | null
  longitude: number | null
  metrics: { clients: number | null; throughput_mbps: number | null }
}

/** What the schema cannot express. */
export function wrongWhatIf(given: WhatIfCreate): ValidationItem[] {
  const { agents, area, technology, policy, document, command } = given
  const wrong = (loc: string[], msg: string) => ({
    loc: ['body', ...loc],
    msg: `Value error, ${msg}`,
    type: 'value_error',
  })
  const problems: ValidationItem[] = []
  if (!agents && !area && !technology)
    problems.push(wrong([], 'say which access points: agents, area or technology'))
  const asked = [policy, document, command].filter((each) => each !== undefined).length
  if (asked !== 1) problems.push(wrong([], 'exactly one of policy, document and command'))
  const name = policy ?? document?.name
  if (name === baseline)
    problems.push(wrong([policy ? 'policy' : 'document'], 'the policy none is what others are compared with'))
  return problems
}

/** The access points of which a world can be built: in service, with a position and a known technology. */
export function placesOf(agents: readonly KnownAgent[]): NetworkPlace[] {
  return agents.flatMap(({ apId, technology, state, latitude, longitude, metrics }) => {
    if (state === 'offline' || latitude === null || longitude === null || !isSimulated(technology)) return []
    const clients = Math.max(0, Math.round(metrics.clients ?? 0))
    const { throughput_mbps: mbps } = metrics
    return [
      {
        ap_id: apId,
        technology,
        latitude,
        longitude,
        clients,
        mbps_per_client: clients > 0 && mbps !== null ? Number((mbps / clients).toFixed(3)) : null,
      },
    ]
  })
}

/** Refuses places of which no world can be built, or too large a one. Returns the number of clients. */
export function checkPlaces(places: readonly NetworkPlace[], { command }: WhatIfCreate): number {
  if (places.length === 0)
    throw new Refused(
      'not-found',
      'No access point of this selection is in service with a position. Select others, or wait until they send samples.',
    )
  if (command && !places.some(({ ap_id: apId }) => apId === command.ap_id)) throw notFound(command.ap_id)
  const clients = places.reduce((sum, place) => sum + place.clients, 0)
  if (clients > experimentLimits.clients)
    throw new Refused(
      'bad-request',
      `The selection has ${clients} clients, and at most ${experimentLimits.clients} can be simulated. Select fewer access points.`,
    )
  return clients
}

const isSimulated = (technology: string): technology is NetworkPlace['technology'] =>
  technology === '5G' || technology === 'WiFi' || technology === 'LiFi'
