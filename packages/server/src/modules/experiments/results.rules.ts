import {
  type ExperimentFigure,
  type ExperimentFigureSummary,
  type ExperimentFigureValues,
  type ExperimentResult,
  type ExperimentRunResult,
  type ExperimentSeries,
  experimentFigures,
  experimentSeriesColumns,
} from '@manc/contract'
import { distributionOf, meanOf } from '@manc/contract/statistics'
import type { RunRow } from './experiments.types.ts'

/** Figures by seed. */
type Finished = ReadonlyMap<string, NonNullable<RunRow['figures']>>

/** Only what is known, in one order: equal results are stored as equal texts, and nothing else is stored. */
export function knownResult({ figures, series }: ExperimentRunResult): ExperimentRunResult {
  const values = experimentFigures.map((name) => [name, figures[name]])
  const columns = experimentSeriesColumns.map((name) => [name, series[name]])
  return {
    figures: Object.fromEntries(values) as ExperimentFigureValues,
    series: { step_s: series.step_s, ...Object.fromEntries(columns) } as ExperimentSeries,
  }
}

/** Whether all columns of a series have the same length. */
export const isComplete = (series: ExperimentSeries): boolean =>
  experimentSeriesColumns.every((name) => series[name].length === series.s.length)

/** Of each policy over its seeds. The first policy is what the others are compared with, seed by seed. */
export function resultsOf(policies: readonly string[], runs: readonly RunRow[]): ExperimentResult[] {
  const finished = policies.map((policy): Finished => {
    const own = runs.filter((run) => run.policy === policy)
    return new Map(own.flatMap(({ seed, figures }) => (figures ? [[seed, figures] as const] : [])))
  })
  const [first] = finished
  return finished.map((own, n) => ({
    policy: policies[n] as string,
    runs: own.size,
    figures: Object.fromEntries(
      experimentFigures.map((figure) => [figure, summaryOf(figure, own, n === 0 ? undefined : first)]),
    ) as ExperimentResult['figures'],
  }))
}

function summaryOf(
  figure: ExperimentFigure,
  own: Finished,
  first: Finished | undefined,
): ExperimentFigureSummary {
  const { mean, interval, median, p5, p95 } = distributionOf(
    [...own.values()].flatMap((figures) => figures[figure] ?? []),
  )
  const differences = [...own].flatMap(([seed, { [figure]: value }]) => {
    const other = first?.get(seed)?.[figure]
    return value === null || other === null || other === undefined ? [] : [value - other]
  })
  const difference = meanOf(differences)
  return {
    mean: known(mean),
    interval: known(interval),
    median: known(median),
    p5: known(p5),
    p95: known(p95),
    difference: known(difference.mean),
    difference_interval: known(difference.interval),
  }
}

/** JSON has no NaN. */
const known = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) ? value : null
