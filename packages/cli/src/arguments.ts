import type {
  AgentState,
  Box,
  DecisionState,
  EmulatedChoice,
  EventKind,
  EventSeverity,
  FleetOrder,
  Health,
  JobKind,
  JobState,
  RolloutAgentState,
  Scenario,
  SilenceState,
  SortOrder,
  TableColumn,
  TableSort,
  Technology,
  Weekday,
} from '@manc/sdk'
import { InvalidArgumentError } from 'commander'

// Names of the contract, checked by their types. Loading the contract itself would cost time at every start.
const all = <Name extends string>(names: Record<Name, true>) => Object.keys(names) as Name[]

export const technologies = all<Technology>({ '5G': true, WiFi: true, LiFi: true, other: true })
export const emulatedChoices = all<EmulatedChoice>({ own: true, all: true, none: true })
export const agentStates = all<AgentState>({ online: true, stale: true, offline: true })
export const healths = all<Health>({ bad: true, degraded: true, offline: true, unknown: true, good: true })
export const rolloutAgentStates = all<RolloutAgentState>({
  pending: true,
  applied: true,
  unchanged: true,
  failed: true,
  undone: true,
  skipped: true,
})
export const fleetOrders = all<FleetOrder>({ id: true, health: true })
export const sortOrders = all<SortOrder>({ asc: true, desc: true })
export const tableSorts = all<TableSort>({
  ap_id: true,
  health: true,
  name: true,
  technology: true,
  place: true,
  state: true,
  last_seen: true,
  version: true,
  clients: true,
  load_pct: true,
  throughput_mbps: true,
  throughput_down_mbps: true,
  throughput_up_mbps: true,
  packet_loss_pct: true,
  latency_ms: true,
  signal_quality: true,
  power_w: true,
})
export const tableColumns: TableColumn[] = [...tableSorts, 'reason']
export const eventKinds = all<EventKind>({
  online: true,
  stale: true,
  offline: true,
  health: true,
  onboarded: true,
  configured: true,
  command: true,
  version_changed: true,
  emulation_started: true,
  emulation_phase: true,
  emulation_ended: true,
  admin_login: true,
  suppressed: true,
  alarm_raised: true,
  alarm_acknowledged: true,
  alarm_cleared: true,
  alarm_flapping: true,
  handover: true,
  roamed: true,
  dropped: true,
  decision: true,
})
export const weekdays = all<Weekday>({
  mon: true,
  tue: true,
  wed: true,
  thu: true,
  fri: true,
  sat: true,
  sun: true,
})
export const decisionStates = all<DecisionState>({
  recorded: true,
  proposed: true,
  rejected: true,
  expired: true,
  refused: true,
  executed: true,
  measured: true,
  reverted: true,
})
export const silenceStates = all<SilenceState>({ active: true, scheduled: true, ended: true })
export const eventSeverities = all<EventSeverity>({ info: true, warning: true, critical: true })
export const jobKinds = all<JobKind>({
  agent_details: true,
  agent_data: true,
  agent_live: true,
  send_command: true,
  send_commands: true,
  emulator_spinup: true,
  mailbox: true,
})
export const jobStates = all<JobState>({
  queued: true,
  running: true,
  open: true,
  sent: true,
  delivered: true,
  succeeded: true,
  failed: true,
  timed_out: true,
  expired: true,
  superseded: true,
  skipped: true,
})
export const scenarios = all<Scenario>({
  daily: true,
  steady: true,
  rush_hour: true,
  lifi_beam_blocked: true,
  backhaul_cut: true,
  access_point_failure: true,
})
/** One of these names; case is ignored. */
export const oneOf =
  <Name extends string>(names: readonly Name[]) =>
  (text: string): Name => {
    const name = names.find((each) => each.toLowerCase() === text.toLowerCase())
    if (name === undefined) throw new InvalidArgumentError(`Use one of ${names.join(', ')}.`)
    return name
  }

/** Several of these names, separated by commas. */
export const someOf =
  <Name extends string>(names: readonly Name[]) =>
  (text: string): Name[] =>
    text.split(',').map(oneOf(names))

export const list = (text: string): string[] =>
  text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))

/** For options that can be repeated. */
export const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value]

export function area(text: string): Box {
  const degrees = text.split(',').map(Number)
  const [west = 0, south = 0, east = 0, north = 0] = degrees
  if (degrees.length !== 4 || degrees.some(Number.isNaN))
    throw new InvalidArgumentError(
      'Use west,south,east,north in degrees, for example -2.62,51.44,-2.55,51.47.',
    )
  return { west, south, east, north }
}

export function position(text: string): { latitude: number; longitude: number } {
  const degrees = text.split(',').map(Number)
  const [latitude = 0, longitude = 0] = degrees
  if (degrees.length !== 2 || degrees.some(Number.isNaN))
    throw new InvalidArgumentError('Use latitude,longitude in degrees, for example 51.4545,-2.5879.')
  return { latitude, longitude }
}

export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('Use a whole number above 0.')
  return Number(text)
}

export function metres(text: string): number {
  if (!/^\d{1,6}(\.\d+)?$/.test(text)) throw new InvalidArgumentError('Use a number of metres, 0 or more.')
  return Number(text)
}

const secondsIn: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** `90s`, `10m`, `2h`, `7d` as seconds. A number without a unit is in seconds. */
export function duration(text: string): number {
  const [, digits, unit = 's'] = /^(\d{1,9})([smhdw]?)$/.exec(text) ?? []
  const seconds = Number(digits) * (secondsIn[unit || 's'] ?? 1)
  if (!(seconds > 0)) throw new InvalidArgumentError('Use a number with s, m, h, d or w, for example 10m.')
  return seconds
}

/** A point in time: `now`, how long ago as `2h`, or a date with or without a time. */
export function moment(text: string): Date {
  if (text === 'now') return new Date()
  if (/^\d{1,9}[smhdw]$/.test(text)) return new Date(Date.now() - duration(text) * 1000)
  // Without an offset the time is UTC, as in the API.
  const isLocal = /T\d/.test(text) && !/(Z|[+-]\d\d:?\d\d)$/i.test(text)
  const date = new Date(isLocal ? `${text}Z` : text)
  if (Number.isNaN(date.getTime()) || !/^\d{4}-\d\d/.test(text))
    throw new InvalidArgumentError('Use how long ago, as 2h, or a time like 2026-11-15T08:00:00Z, or now.')
  return date
}

/** A point in time that may be in the future: a date with or without a time. */
export function time(text: string): Date {
  if (/^\d{1,9}[smhdw]$/.test(text)) throw new InvalidArgumentError('Use a time like 2026-11-15T08:00:00Z.')
  return moment(text)
}

/** `02:00`, also as `2:00`. */
export function timeOfDay(text: string): string {
  const padded = text.padStart(5, '0')
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(padded))
    throw new InvalidArgumentError('Use hours and minutes, for example 02:00.')
  return padded
}
