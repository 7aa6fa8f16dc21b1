import type { HistoryPoint } from '@manc/sdk'
import { formatNumber } from '../format/number.ts'
import type { Points } from './points.ts'

/** More is no work for a page. */
const maxValues = 4_000_000
const reportIntervalMs = 250

/** What has come of a period so far, by metric. */
export interface HistoryData {
  fromMs: number
  toMs: number
  series: ReadonlyMap<string, Points>
  count: number
  /** From 0 to 1. */
  progress: number
  isComplete: boolean
}

interface Reading {
  fromMs: number
  toMs: number
  onProgress: (past: HistoryData) => void
  /** Values that it may be at most. */
  most?: number
}

/** Reads to the end, and tells four times a second how far it has got. */
export async function readHistory(
  stream: AsyncIterable<HistoryPoint>,
  { fromMs, toMs, onProgress, most = maxValues }: Reading,
): Promise<void> {
  const series = new Map<string, Points>()
  let count = 0
  let toldAtMs = 0
  const tell = (progress: number, isComplete: boolean) =>
    onProgress({ fromMs, toMs, series, count, progress, isComplete })
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
    if (Date.now() - toldAtMs < reportIntervalMs) continue
    toldAtMs = Date.now()
    tell(Math.min(1, (moment - fromMs) / (toMs - fromMs)), false)
    // The page gets a turn between.
    await new Promise((resolve) => setTimeout(resolve))
  }
  tell(1, true)
}
