import type { HistoryPoint } from '@manc/sdk'
import { formatNumber } from '../format/number.ts'
import type { Points } from './points.ts'

/** More values are too slow in a browser. */
const maxValues = 4_000_000
const reportIntervalMs = 250

/** The values of a period loaded so far, by metric. */
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
  /** Maximum number of values. */
  max?: number
}

/** Reads all values and reports progress four times a second. */
export async function readHistory(
  stream: AsyncIterable<HistoryPoint>,
  { fromMs, toMs, onProgress, max = maxValues }: Reading,
): Promise<void> {
  const series = new Map<string, Points>()
  let count = 0
  let reportedAtMs = 0
  const report = (progress: number, isComplete: boolean) =>
    onProgress({ fromMs, toMs, series, count, progress, isComplete })
  report(0, false)
  for await (const { time, field, value } of stream) {
    const atMs = Date.parse(time)
    const points = series.get(field) ?? { at: [], values: [] }
    series.set(field, points)
    points.at.push(atMs)
    points.values.push(value)
    if (++count > max)
      throw new Error(
        `More than ${formatNumber(max)} values, too many for the browser. Select a shorter period, or use the API (see Developers).`,
      )
    if (Date.now() - reportedAtMs < reportIntervalMs) continue
    reportedAtMs = Date.now()
    report(Math.min(1, (atMs - fromMs) / (toMs - fromMs)), false)
    // Lets the page render.
    await new Promise((resolve) => setTimeout(resolve))
  }
  report(1, true)
}
