import { experimentLimits, type ValidationItem, type WhatIfCreate } from '@manc/contract'
import type { NetworkPlace } from '@manc/contract/experiment-messages'
import { Refused } from '../../errors.ts'
import type { MeasuredClient } from '../clients/index.ts'
import { steeredClient } from '../commands/index.ts'
import { isKnownPolicy, takenName } from './experiment-members.rules.ts'
import { membersOf } from './what-if-clients.rules.ts'

/** The policy of runs that execute the command of a what-if. */
export const commandPolicy = 'command'
/** What the others are compared with: clients decide by themselves. */
export const baseline = 'none'

/** Metrics that a world needs, beside those of the table of access points. */
export const radioMetrics = ['channel', 'tx_power_dbm', 'uptime_s'] as const
type RadioMetric = (typeof radioMetrics)[number]
/** From this load on clients get less than they ask for. */
const fullPct = 90

/** What is known of an access point now. */
export interface KnownAgent {
  apId: string
  technology: string
  state: string
  latitude: number | null
  longitude: number | null
  metrics: { clients: number | null; throughput_mbps: number | null; load_pct?: number | null }
  /** What it measures of its radio, as far as it does. */
  radio?: Partial<Record<RadioMetric, number>>
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

type SimulatedAgent = KnownAgent & Pick<NetworkPlace, 'technology' | 'latitude' | 'longitude'>

/** In service, with a position and a known technology. */
export const isPlace = (agent: KnownAgent): agent is SimulatedAgent =>
  agent.state !== 'offline' &&
  agent.latitude !== null &&
  agent.longitude !== null &&
  (agent.technology === '5G' || agent.technology === 'WiFi' || agent.technology === 'LiFi')

/** The access points of which a world can be built. */
export function placesOf(
  agents: readonly KnownAgent[],
  clients: readonly MeasuredClient[] = [],
): NetworkPlace[] {
  const simulated = agents.filter(isPlace)
  const cells = simulated.map(({ apId, technology, metrics }, index) => {
    const cell = { index, technology, isFull: (metrics.load_pct ?? 0) >= fullPct }
    return [apId, cell] as const
  })
  const known = membersOf(clients, new Map(cells))
  return simulated.map(({ apId, technology, latitude, longitude, metrics, radio = {} }) => {
    const members = known.get(apId)
    const attached = Math.max(0, Math.round(metrics.clients ?? 0), members?.length ?? 0)
    const { throughput_mbps: mbps } = metrics
    return {
      ap_id: apId,
      technology,
      latitude,
      longitude,
      clients: attached,
      mbps_per_client: attached > 0 && mbps !== null ? Number((mbps / attached).toFixed(3)) : null,
      ...(radio.channel !== undefined && { channel: Math.round(radio.channel) }),
      ...(radio.tx_power_dbm !== undefined && { tx_power_dbm: radio.tx_power_dbm }),
      // Of one that runs, the uptime is at least a second.
      ...(radio.uptime_s === 0 && attached === 0 && { is_off: true }),
      ...(members && { members }),
    }
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
