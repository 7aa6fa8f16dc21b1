import { type Json, objectOf } from '../json.ts'
import { textOf } from './messages.ts'
import { addressOf, dbm, maxStations, number, parseState, type State, type Station } from './state.ts'

/** The state in `state` and `telemetry`. A telemetry stream has a list of events of each type, `[time, document]`. */
export function stateIn(method: string, params: Json): State | undefined {
  if (method === 'state') return parseState(params['state'])
  if (method !== 'telemetry') return undefined
  const data = objectOf(params['data'])
  const { state = data } = data
  const newest: unknown = Array.isArray(state) ? state.at(-1) : state
  return parseState(Array.isArray(newest) ? newest[1] : newest)
}

/** The id of the configuration that is active. While another one is pending, `ping` has both. */
export function configurationIn(method: string, { active, uuid }: Json): string | undefined {
  if (method !== 'connect' && method !== 'ping' && method !== 'state') return undefined
  const id = number(active ?? uuid)
  return id === undefined ? undefined : String(id)
}

/** What is kept of `connect`, which describes the whole access point. */
export interface Introduction {
  /** As the access point writes it. */
  serial: string
  /** Texts about it, by the names of readings. */
  about: Record<string, string>
}

export function introductionIn(params: Json): Introduction {
  const { model, compatible } = objectOf(params['capabilities'])
  const about = {
    firmware: textOf(params['firmware']),
    model: textOf(model ?? compatible),
    configuration_uuid: configurationIn('connect', params) ?? '',
  }
  return {
    serial: textOf(params['serial']),
    about: Object.fromEntries(Object.entries(about).filter(([, text]) => text !== '')),
  }
}

interface ClientMove {
  hasJoined: boolean
  station: Station
}

/** A client that has joined or left, in `event`: `[time, {type, payload}]`. */
export function clientMoveIn(method: string, params: Json): ClientMove | undefined {
  if (method !== 'event') return undefined
  const { event } = objectOf(params['data'])
  const { type, payload } = objectOf(Array.isArray(event) ? event[1] : undefined)
  if (type !== 'client.join' && type !== 'client.leave') return undefined
  const { client, bssid, rssi } = objectOf(payload)
  const address = addressOf(client)
  if (address === undefined) return undefined
  return {
    hasJoined: type === 'client.join',
    station: { address, bssid: addressOf(bssid) ?? '', signalDbm: dbm(rssi) },
  }
}

/** After a move within the access point, the old BSS may report the end after the new one has reported the start. */
export function stationsAfter(
  stations: readonly Station[],
  { hasJoined, station }: ClientMove,
): readonly Station[] {
  const known = stations.find(({ address }) => address === station.address)
  const isElsewhere = known && known.bssid !== '' && station.bssid !== '' && known.bssid !== station.bssid
  if (!hasJoined && isElsewhere) return stations
  const others = stations.filter((each) => each !== known)
  return hasJoined && others.length < maxStations ? [...others, station] : others
}

/** Severity 4 is a warning: the log of a gateway is not that of its access points. */
const leastSevere = 4

/** What operators should know of an access point. Its passwords, which are in `deviceupdate`, are never logged. */
export function logLineOf(
  method: string,
  params: Json,
): { message: string; fields: Record<string, unknown> } | undefined {
  if (method === 'log') {
    const severity = number(params['severity']) ?? 7
    if (severity > leastSevere) return undefined
    return { message: 'access point reports', fields: { severity, text: textOf(params['log']) } }
  }
  if (method !== 'crashlog' && method !== 'recovery') return undefined
  const lines = Array.isArray(params['loglines']) ? params['loglines'] : []
  const fields = { lines: lines.length, last_line: textOf(lines.at(-1)) }
  if (method === 'crashlog') return { message: 'access point has crashed and started again', fields }
  const next = 'correct its configuration, then send the command reboot'
  return { message: 'access point is in recovery mode', fields: { ...fields, next } }
}
