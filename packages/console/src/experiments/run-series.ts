import type { ExperimentSeries } from '@manc/sdk'

type Column = Exclude<keyof ExperimentSeries, 'step_s' | 's'>

/** Times in milliseconds from the start, and the values of both runs at these times; null where a run has none. */
export function alignedSeries(
  a: ExperimentSeries,
  b: ExperimentSeries,
  name: Column,
): [number[], (number | null)[], (number | null)[]] {
  const seconds = [...new Set([...a.s, ...b.s])].sort((x, y) => x - y)
  const valuesOf = (series: ExperimentSeries) => {
    const values = new Map(series.s.map((second, n) => [second, series[name][n] ?? null]))
    return seconds.map((second) => values.get(second) ?? null)
  }
  return [seconds.map((second) => 1000 * second), valuesOf(a), valuesOf(b)]
}
