import type { Alarm, EventSeverity, NetworkEvent } from '@manc/sdk'

/** What an event is about. Each has its own shape in charts. */
type MarkGroup = 'presence' | 'health' | 'alarm' | 'command' | 'configuration' | 'other'

/** An event on the time axis of a chart. */
export interface Mark {
  id: string
  atMs: number
  group: MarkGroup
  severity: EventSeverity
  text: string
}

/** The time in which an alarm was open. */
export interface AlarmInterval {
  id: string
  fromMs: number
  /** Undefined while it is open. */
  toMs: number | undefined
  severity: EventSeverity
  metric: string
  rule: string
}

const groups: Record<string, MarkGroup> = {
  online: 'presence',
  stale: 'presence',
  offline: 'presence',
  health: 'health',
  alarm_raised: 'alarm',
  alarm_flapping: 'alarm',
  alarm_acknowledged: 'alarm',
  alarm_cleared: 'alarm',
  command: 'command',
  decision: 'command',
  configured: 'configuration',
  onboarded: 'configuration',
  version_changed: 'configuration',
}

/** SVG paths in a square of 10. */
export const markShapes: Record<MarkGroup, string> = {
  presence: 'M5 1a4 4 0 1 0 0 8a4 4 0 1 0 0-8z',
  health: 'M5 .4L9.6 5L5 9.6L.4 5z',
  alarm: 'M5 .8L9.6 9H.4z',
  command: 'M1.2 1.2h7.6v7.6h-7.6z',
  configuration: 'M3.6 1h2.8v2.6h2.6v2.8h-2.6v2.6h-2.8v-2.6h-2.6v-2.8h2.6z',
  other: 'M3.8 1h2.4v8h-2.4z',
}

export const markOf = ({ id, at, kind, severity, text }: NetworkEvent): Mark => ({
  id,
  atMs: Date.parse(at),
  group: groups[kind] ?? 'other',
  severity,
  text,
})

export const intervalOf = (alarm: Alarm): AlarmInterval => ({
  id: alarm.id,
  fromMs: Date.parse(alarm.raised_at),
  toMs: alarm.cleared_at === null ? undefined : Date.parse(alarm.cleared_at),
  severity: alarm.severity,
  metric: alarm.metric,
  rule: alarm.rule,
})

/** An access point that is offline sends no metric at all. */
export const intervalsOfMetric = (intervals: readonly AlarmInterval[], metric: string): AlarmInterval[] =>
  intervals.filter((interval) => interval.metric === metric || interval.metric === 'presence')

/** For screen readers: `Alarm: Load is bad, open.` */
export function intervalsText(
  intervals: readonly AlarmInterval[],
  fromMs: number,
  toMs: number,
  timeText: (ms: number) => string,
): string {
  const shown = intervals.filter(
    (interval) => interval.fromMs <= toMs && (interval.toMs === undefined || interval.toMs >= fromMs),
  )
  return shown
    .slice(0, 3)
    .map(
      ({ rule, fromMs: from, toMs: to }) =>
        ` Alarm: ${rule}, from ${timeText(from)}${to === undefined ? ', open' : ` to ${timeText(to)}`}.`,
    )
    .join('')
}

/** Marks that are drawn within some pixels of a position, the nearest first. */
export function marksNear(
  marks: readonly Mark[],
  positionOf: (ms: number) => number,
  leftPx: number,
  withinPx: number,
): Mark[] {
  const distance = ({ atMs }: Mark) => Math.abs(positionOf(atMs) - leftPx)
  return marks.filter((mark) => distance(mark) <= withinPx).toSorted((a, b) => distance(a) - distance(b))
}
