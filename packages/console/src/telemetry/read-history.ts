import type { HistoryPoint } from '@manc/sdk'
import { formatNumber } from '../format/number.ts'
import type { Points } from './points.ts'

/** More is no work for a page. */
const mostValues = 4_000_000
const tellEveryMs = 250

/** What has come of a period so far, by metric. */
export interface Past {
  fromMs: number
  toMs: number
  series: ReadonlyMap<string, Points>
  count: number
  /** From 0 to 1. */
  progress: number
  isWhole: boolean
}

interface Reading {
  fromMs: number
  toMs: number
  onNews: (past: Past) => void
  /** Values that it may be at most. */
  most?: number
}

/** Reads to the end, and tells four times a second how far it has got. */
export async function readHistory(
  stream: AsyncIterable<HistoryPoint>,
  { fromMs, toMs, onNews, most = mostValues }: Reading,
): Promise<void> {
  const series = new Map<string, Points>()
  let count = 0
  let toldAtMs = 0
  const tell = (progress: number, isWhole: boolean) =>
    onNews({ fromMs, toMs, series, count, progress, isWhole })
  tell(0, false)
  for await (const { time, field, value } of stream) {
    const moment = Date.parse(time)
    const points = series.get(field) ?? { at: [], values: [] }
    series.set(field, points)
    points.at.push(moment)
    points.values.push(value)
    if (++count > most)
      throw new Error(
        `More than ${formatNumber(most)} values, too many for the browser. Select a shorter period, or use the API (see Developers).`,
      )
    if (Date.now() - toldAtMs < tellEveryMs) continue
    toldAtMs = Date.now()
    tell(Math.min(1, (moment - fromMs) / (toMs - fromMs)), false)
    // The page gets a turn between.
    await new Promise((resolve) => setTimeout(resolve))
  }
  tell(1, true)
}
