import type { EventKind, EventSeverity } from '@manc/sdk'

/** In the order of the choices. */
export const kindLabels: Record<EventKind, string> = {
  offline: 'Offline',
  stale: 'Stale',
  online: 'Online',
  health: 'Health changed',
  alarm_raised: 'Alarm raised',
  alarm_acknowledged: 'Alarm acknowledged',
  alarm_cleared: 'Alarm cleared',
  alarm_flapping: 'Alarm flapping',
  handover: 'Client handed over',
  roamed: 'Client roamed',
  dropped: 'Client dropped',
  onboarded: 'First message',
  configured: 'Configuration changed',
  command: 'Command',
  decision: 'Decision',
  version_changed: 'Version changed',
  emulation_started: 'Emulation started',
  emulation_phase: 'Emulation phase',
  emulation_ended: 'Emulation ended',
  admin_login: 'Administrator login',
  suppressed: 'Too many events',
}

const clientKinds: readonly string[] = ['handover', 'roamed', 'dropped'] satisfies EventKind[]

/** Whether the subject of events of this kind is a client. */
export const isAboutClient = (kind: string): boolean => clientKinds.includes(kind)

/** Choices of the least severity. */
export const severityLabels = {
  info: 'All',
  warning: 'Warnings',
  critical: 'Critical',
} satisfies Record<EventSeverity, string>

export interface EventFilter {
  ap_id?: string
  kind?: EventKind[]
  severity?: EventSeverity[]
  emulated?: 'all'
}

/** The filter of the page, stored in the address. */
export interface EventsSearch {
  kind?: EventKind
  /** The least one. */
  severity?: EventSeverity
}

/** Invalid parameters are ignored. */
export function parseEventsSearch({ kind, severity }: Record<string, unknown>): EventsSearch {
  return {
    ...(isIn(kindLabels, kind) && { kind }),
    ...(isIn(severityLabels, severity) && severity !== 'info' && { severity }),
  }
}

export const severitiesFrom = (least: EventSeverity): EventSeverity[] =>
  (Object.keys(severityLabels) as EventSeverity[]).slice(Object.keys(severityLabels).indexOf(least))

const isIn = <Name extends string>(labels: Record<Name, string>, value: unknown): value is Name =>
  typeof value === 'string' && Object.hasOwn(labels, value)
