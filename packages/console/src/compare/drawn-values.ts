import type { Points } from '../telemetry/points.ts'
import { bucketed, holdOf, type Steps } from './buckets.ts'
import type { SubjectValues } from './use-comparison.ts'

/** The values of one line at the steps of a chart. */
export interface DrawnLine {
  values: (number | null)[]
  /** The edges of its band. */
  p10?: (number | null)[]
  p90?: (number | null)[]
}

/** `isElapsed`: the steps begin at 0, the start of each line's own period. */
export function drawnLine(
  subject: SubjectValues | undefined,
  metric: string,
  steps: Steps,
  isElapsed: boolean,
): DrawnLine {
  const found = subject?.byMetric.get(metric)
  if (!subject || !found) return { values: steps.at.map(() => null) }
  const { points, band } = found
  const at = isElapsed ? points.at.map((ms) => ms - subject.fromMs) : points.at
  const holdMs = holdOf(points)
  const line = (values: Points['values']) => bucketed({ at, values }, steps, holdMs)
  return { values: line(points.values), ...(band && { p10: line(band.p10), p90: line(band.p90) }) }
}
