import { formatDateTime, formatMinutes, isSameDay, utcOffset } from '../format/time.ts'

/** The last seconds until now, which is live, or a fixed period. */
export type TimeRange = { lastS: number } | { fromMs: number; toMs: number }

export interface Period {
  fromMs: number
  toMs: number
}

const minuteS = 60
const hourS = 60 * minuteS
const dayS = 24 * hourS

/** Choices of a live range: seconds, text in the address, and name. */
export const liveRanges = [
  [5 * minuteS, '5m', '5 min', 'the last 5 minutes'],
  [15 * minuteS, '15m', '15 min', 'the last 15 minutes'],
  [hourS, '1h', '1 h', 'the last hour'],
  [6 * hourS, '6h', '6 h', 'the last 6 hours'],
  [dayS, '24h', '24 h', 'the last 24 hours'],
  [7 * dayS, '7d', '7 d', 'the last 7 days'],
  [30 * dayS, '30d', '30 d', 'the last 30 days'],
] as const

/** Of pages with charts. */
export const usualRange = { lastS: 15 * minuteS } as const satisfies TimeRange

/** The range in the address. All members are set, so that a link without a range removes the one of the page. */
export interface RangeSearch {
  range?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export const rangeKeys = ['range', 'from', 'to'] as const satisfies (keyof RangeSearch)[]

const unitsS = { m: minuteS, h: hourS, d: dayS }
/** Longer than telemetry is usually kept. The controller refuses what it does not keep. */
const maxS = 1000 * dayS

export const isLive = (range: TimeRange): range is { lastS: number } => 'lastS' in range

/** Undefined if the address has no valid range. */
export function parseRange({ range, from, to }: Record<string, unknown>): TimeRange | undefined {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(typeof range === 'string' ? range : '') ?? []
  const lastS = Number(count) * unitsS[unit as keyof typeof unitsS]
  if (lastS > 0 && lastS <= maxS) return { lastS }
  const [fromMs, toMs] = [timeOf(from), timeOf(to)]
  const isPeriod = toMs - fromMs >= 1000 && toMs - fromMs <= maxS * 1000
  return isPeriod ? { fromMs, toMs } : undefined
}

/** Without invalid parameters. */
export function parseRangeSearch(search: Record<string, unknown>): RangeSearch {
  const range = parseRange(search)
  if (!range) return {}
  const { range: last, from, to } = rangeSearch(range)
  return last === undefined ? { from, to } : { range: last }
}

export function rangeSearch(range: TimeRange | undefined): Required<RangeSearch> {
  if (!range) return { range: undefined, from: undefined, to: undefined }
  if (!isLive(range)) return { range: undefined, from: isoOf(range.fromMs), to: isoOf(range.toMs) }
  return { range: lastText(range.lastS), from: undefined, to: undefined }
}

/** The period of a range at a time. */
export const periodOf = (range: TimeRange, nowMs: number): Period =>
  isLive(range) ? { fromMs: nowMs - range.lastS * 1000, toMs: nowMs } : range

/** `Last 15 min`, `2026-11-17 10:00 to 10:30` */
export function rangeLabel(range: TimeRange): string {
  if (!isLive(range)) return periodText(range)
  return `Last ${liveRanges.find(([seconds]) => seconds === range.lastS)?.[2] ?? lastText(range.lastS)}`
}

/** In a sentence: `the last 15 minutes`, `2026-11-17 10:00 to 10:30`. */
export const rangeText = (range: TimeRange): string =>
  isLive(range)
    ? (liveRanges.find(([seconds]) => seconds === range.lastS)?.[3] ?? `the last ${lastText(range.lastS)}`)
    : periodText(range)

/** `2026-11-17 10:00 to 10:30`; with seconds unless both are whole minutes. */
export function periodText({ fromMs, toMs }: Period): string {
  const isWhole = fromMs % 60_000 === 0 && toMs % 60_000 === 0
  const text = (ms: number) => (isWhole ? formatMinutes(ms) : formatDateTime(ms))
  const end = text(toMs)
  return `${text(fromMs)} to ${isSameDay(fromMs, toMs) ? end.slice(end.indexOf(' ') + 1) : end}`
}

/** The time zone of a range, which depends on its date where clocks change. */
export const zoneOf = (range: TimeRange, nowMs = Date.now()): string => utcOffset(periodOf(range, nowMs).toMs)

/** The next longer live range, or a period twice as long around the same centre, but not beyond now. */
export function zoomedOut(range: TimeRange, nowMs: number): TimeRange {
  if (isLive(range)) {
    const longer = liveRanges.find(([seconds]) => seconds > range.lastS)
    return { lastS: longer?.[0] ?? Math.min(maxS, 2 * range.lastS) }
  }
  const halfMs = (range.toMs - range.fromMs) / 2
  const toMs = Math.min(Math.max(nowMs, range.toMs), range.toMs + halfMs)
  const fromMs = toMs - Math.min(4 * halfMs, maxS * 1000)
  return { fromMs: Math.round(fromMs), toMs: Math.round(toMs) }
}

/** Whether its data still changes. */
export const isOngoing = (range: TimeRange, nowMs: number): boolean => isLive(range) || range.toMs > nowMs

/** The period before or after, of the same length. It does not end after now, unless it did before. */
export function shifted({ fromMs, toMs }: Period, steps: -1 | 1, nowMs: number): Period {
  const lengthMs = toMs - fromMs
  const byMs = steps < 0 ? -lengthMs : Math.max(0, Math.min(lengthMs, nowMs - toMs))
  return { fromMs: fromMs + byMs, toMs: toMs + byMs }
}

const lastText = (lastS: number): string => {
  const known = liveRanges.find(([seconds]) => seconds === lastS)
  if (known) return known[1]
  const unit = (['d', 'h', 'm'] as const).find((each) => lastS % unitsS[each] === 0) ?? 'm'
  return `${Math.max(1, Math.round(lastS / unitsS[unit]))}${unit}`
}

/** Milliseconds are written only where there are any. */
const isoOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

function timeOf(value: unknown): number {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/.test(value)
  return isTime ? Date.parse(value) : Number.NaN
}
