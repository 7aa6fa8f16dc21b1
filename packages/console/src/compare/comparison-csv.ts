import { csvField } from '@manc/contract/csv-field'
import type { Metric } from '../telemetry/metrics.ts'
import type { Steps } from './buckets.ts'
import type { Subject } from './compare-lines.ts'
import type { DrawnLine } from './drawn-values.ts'
import type { SubjectValues } from './use-comparison.ts'

interface Exported {
  subjects: readonly Subject[]
  metrics: readonly Metric[]
}

/** One row for each step; for each metric and line a column, and two more for the edges of a band. */
export function valuesCsv(
  { subjects, metrics }: Exported,
  steps: Steps,
  linesOf: (metric: string) => readonly DrawnLine[],
  isElapsed: boolean,
): string {
  const columns = metrics.flatMap(({ name }) =>
    linesOf(name).flatMap(({ values, p10, p90 }, n) => {
      const label = `${subjects[n]?.label ?? ''} ${name}`
      if (!p10 || !p90) return [{ label, values }]
      return [
        { label: `${label} p50`, values },
        { label: `${label} p10`, values: p10 },
        { label: `${label} p90`, values: p90 },
      ]
    }),
  )
  const rows = steps.at.map((ms, n) => [
    isElapsed ? String(ms / 1000) : new Date(ms).toISOString(),
    ...columns.map(({ values }) => String(values[n] ?? '')),
  ])
  return csvOf([[isElapsed ? 'elapsed_s' : 'time', ...columns.map(({ label }) => label)], ...rows])
}

const figureNames = ['centre', 'lowest', 'p10', 'p90', 'p95', 'highest'] as const

/** One row for each line and metric, with its period. The centre is the median over access points, or the mean over time. */
export function figuresCsv(
  { subjects, metrics }: Exported,
  values: readonly (SubjectValues | undefined)[],
): string {
  const rows = subjects.flatMap(({ label }, n) => {
    const subject = values[n]
    if (!subject) return []
    return metrics.map(({ name, unit }) => {
      const found = subject.byMetric.get(name)
      return [
        label,
        new Date(subject.fromMs).toISOString(),
        new Date(subject.toMs).toISOString(),
        name,
        unit,
        subject.agents ? 'median' : 'mean',
        ...figureNames.map((figure) => String(found?.figures?.[figure] ?? '')),
        String(subject.agents?.read ?? ''),
      ]
    })
  })
  const head = ['line', 'from', 'to', 'metric', 'unit', 'centre_is', ...figureNames, 'access_points']
  return csvOf([head, ...rows])
}

const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(csvField).join(',')}\r\n`).join('')
