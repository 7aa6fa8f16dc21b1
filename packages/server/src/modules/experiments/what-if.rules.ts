import { experimentLimits, type ValidationItem, type WhatIfCreate } from '@manc/contract'
import type { NetworkPlace } from '@manc/contract/experiment-messages'
import { Refused } from '../../errors.ts'
import { steeredClient } from '../commands/index.ts'
import { isKnownPolicy, takenName } from './experiment-members.rules.ts'

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
  else if (document && isKnownPolicy(document.name))
    problems.push(wrong(['document', 'name'], takenName(document.name)))
  // Where a client of the network is within its cell is not known.
  if (command && steeredClient(command.command) !== null)
    problems.push(
      wrong(
        ['command'],
        'clients of the network cannot be simulated one by one: write steer_client <ap_id> <count>',
      ),
    )
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

interface Asked {
  command?: WhatIfCreate['command']
  horizonS: number
}

/** Refuses places of which no world can be built, or too large a one. Returns the number of clients. */
export function checkPlaces(places: readonly NetworkPlace[], { command, horizonS }: Asked): number {
  if (places.length === 0)
    throw new Refused(
      'not-found',
      'No access point of this selection is in service with a position. Select others, or wait until they send samples.',
    )
  if (command && !places.some(({ ap_id: apId }) => apId === command.ap_id))
    throw new Refused(
      'not-found',
      `${command.ap_id}, which the command is for, is not among the selected access points that are in service with a position. Select it as well, or name another one.`,
    )
  const clients = places.reduce((sum, place) => sum + place.clients, 0)
  const { clients: maxClients, clientSeconds } = experimentLimits
  if (clients > maxClients)
    throw new Refused(
      'bad-request',
      `The selection has ${clients} clients, and at most ${maxClients} can be simulated. Select fewer access points.`,
    )
  if (clients * horizonS > clientSeconds)
    throw new Refused(
      'bad-request',
      `The selection has ${clients} clients, of which at most ${Math.floor(clientSeconds / clients)} s can be simulated. Use a smaller horizon_s, or select fewer access points.`,
    )
  return clients
}

const isSimulated = (technology: string): technology is NetworkPlace['technology'] =>
  technology === '5G' || technology === 'WiFi' || technology === 'LiFi'
