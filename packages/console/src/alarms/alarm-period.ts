import type { Alarm } from '@manc/sdk'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Shown before an alarm is raised and after it is cleared. */
const marginMs = 15 * minuteMs
/** The longest window of charts. Less a minute, since the clock of the browser may differ. */
const maxWindowMs = 31 * 24 * hourMs - minuteMs
/** Averages over longer windows hide short alarms. */
const rawWindowMs = 24 * hourMs
/** Longer periods have too many stored values of all metrics. */
const maxHistoryMs = 6 * hourMs

export interface AlarmPeriod {
  fromMs: number
  toMs: number
  /** Read as stored values of the period, otherwise as a chart of a window up to now. */
  isHistory: boolean
  /** Whether no more values are added. */
  isOver: boolean
}

/** The time around an alarm, and how its values are read. */
export function periodOf(
  { raised_at: raisedAt, cleared_at: clearedAt }: Pick<Alarm, 'raised_at' | 'cleared_at'>,
  nowMs: number,
): AlarmPeriod {
  const firstMs = nowMs - maxWindowMs
  const fromMs = Date.parse(raisedAt) - marginMs
  if (clearedAt === null)
    return { fromMs: Math.max(fromMs, firstMs), toMs: nowMs, isHistory: false, isOver: false }
  const endMs = Date.parse(clearedAt) + marginMs
  const toMs = Math.min(nowMs, endMs)
  const isOver = endMs <= nowMs
  const isShort = toMs - fromMs <= maxHistoryMs
  // No chart reaches it: its beginning is shown.
  if (toMs <= firstMs) return { fromMs, toMs: Math.min(toMs, fromMs + maxHistoryMs), isHistory: true, isOver }
  if (isShort && nowMs - fromMs > rawWindowMs) return { fromMs, toMs, isHistory: true, isOver }
  return { fromMs: Math.max(fromMs, firstMs), toMs, isHistory: false, isOver }
}
