import { smallestEffect } from '@manc/contract/what-if-accuracy'
import type { ExperimentFigureSummary, ExperimentResult } from '@manc/sdk'
import type { ShownFigure } from './experiment-texts.ts'

export interface IntervalRow {
  policy: string
  mean: number
  low: number
  high: number
  /** Places on the scale, in per cent. */
  at: number
  from: number
  to: number
}

/** Means with intervals of all policies on one scale from 0, or from the lowest end where that is negative. */
export function intervalRows(results: readonly ExperimentResult[], { figure }: ShownFigure): IntervalRow[] {
  const known = results.flatMap(({ policy, figures }) => {
    const { mean, interval } = figures[figure]
    if (mean === null) return []
    const half = interval ?? 0
    return [{ policy, mean, low: mean - half, high: mean + half }]
  })
  const start = Math.min(0, ...known.map(({ low }) => low))
  const end = Math.max(start + Number.EPSILON, ...known.map(({ high }) => high))
  const place = (value: number) => (100 * (value - start)) / (end - start)
  return known.map((row) => ({ ...row, at: place(row.mean), from: place(row.low), to: place(row.high) }))
}

type Verdict = 'better' | 'worse' | 'no clear difference'

/** What a difference from the first policy means: clear is one whose 95 % interval does not contain 0. */
export function verdictOf(
  { better }: ShownFigure,
  { difference, difference_interval: interval }: ExperimentFigureSummary,
): Verdict | undefined {
  if (better === undefined || difference === null || interval === null) return undefined
  if (Math.abs(difference) <= interval) return 'no clear difference'
  const direction = difference > 0 ? 'more' : 'less'
  return direction === better ? 'better' : 'worse'
}

/** Of a prediction, by the rule that its accuracy was measured with: small changes are no effect, however clear they are. */
export function predictedVerdictOf(
  shown: ShownFigure,
  summary: ExperimentFigureSummary,
  without: number | null,
): Verdict | 'less than 5 %' | undefined {
  const { difference } = summary
  const isSmall =
    difference !== null && without !== null && Math.abs(difference) < smallestEffect * Math.abs(without)
  return isSmall ? 'less than 5 %' : verdictOf(shown, summary)
}
