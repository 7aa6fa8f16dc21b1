import { SimpleGrid, Stack, useComputedColorScheme } from '@mantine/core'
import { useMemo, useState } from 'react'
import { formatWithUnit } from '../format/number.ts'
import { isLive, rangeText, type TimeRange, zoomedOut } from '../range/time-range.ts'
import { Chart } from '../telemetry/chart.tsx'
import { ChartGroup } from '../telemetry/chart-group.ts'
import type { Metric } from '../telemetry/metrics.ts'
import { scaleEndsOf, thresholdsOf } from '../telemetry/scales.ts'
import { Age, Failure, Loading } from '../ui/states.tsx'
import { stepsOf } from './buckets.ts'
import { linesOf, type Subject, withBands } from './compare-lines.ts'
import type { Second } from './compare-search.ts'
import { CompareTable } from './compare-table.tsx'
import { drawnLine } from './drawn-values.ts'
import { ExportComparison } from './export-comparison.tsx'
import { type SubjectValues, useComparison } from './use-comparison.ts'

interface CompareChartsProps {
  /** What a line is: `Access point`. */
  heading: string
  subjects: readonly Subject[]
  metrics: readonly Metric[]
  range: TimeRange
  second: Second
  /** The lines are those of two periods, both from 0. */
  isElapsed: boolean
  hidden: readonly string[]
  onHide: (keys: string[]) => void
  /** A range, and where the second period starts if that changes. */
  onRange: (range: TimeRange, second: Second) => void
}

/** One chart for each metric, one line for each subject. */
export function CompareCharts(props: CompareChartsProps) {
  const { heading, subjects, metrics, range, second, isElapsed, hidden, onHide, onRange } = props
  const scheme = useComputedColorScheme('light')
  const [group] = useState(() => new ChartGroup('compare'))
  const [highlighted, setHighlighted] = useState<number>()
  // Clients are always read: without them no value is the best.
  const names = useMemo(() => [...new Set(['clients', ...metrics.map(({ name }) => name)])], [metrics])
  const comparison = useComparison({ subjects, metrics: names, range, second })
  const { values } = comparison
  const first = values.find((each, n) => each && !subjects[n]?.isSecond)
  const fromMs = isElapsed ? 0 : (first?.fromMs ?? 0)
  const toMs = first ? (isElapsed ? first.toMs - first.fromMs : first.toMs) : 1
  const steps = useMemo(() => stepsOf(fromMs, toMs), [fromMs, toMs])
  const readKey = values.map((each) => each && [each.fromMs, each.toMs]).join()
  const drawn = useMemo(
    () =>
      new Map(
        metrics.map(({ name }) => [name, values.map((each) => drawnLine(each, name, steps, isElapsed))]),
      ),
    // Each read has another period, or is of other subjects.
    [metrics, subjects, steps, isElapsed, readKey, comparison.readAtMs],
  )
  const styles = linesOf(subjects, scheme)
  const lines = styles.map((line, n) => ({ ...line, isHidden: hidden.includes(subjects[n]?.key ?? '') }))
  const toggle = (key: string) =>
    onHide(hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key])
  const zoom = (from: number, to: number) => {
    const startMs = isElapsed ? (first?.fromMs ?? 0) : 0
    const secondMs = values.find((each, n) => each && subjects[n]?.isSecond)?.fromMs
    onRange({ fromMs: startMs + from, toMs: startMs + to }, secondMs === undefined ? second : secondMs + from)
  }
  if (comparison.error && !first)
    return <Failure error={comparison.error} onRetry={() => comparison.refetch()} />
  if (!first || comparison.isPending) return <Loading what="comparison" />
  const isOfAgents = subjects.some(({ apId }) => apId !== undefined)
  const caption = isOfAgents
    ? 'Mean over time, p10–p90 and p95'
    : 'Median over access points, p10–p90 and p95'
  return (
    <Stack gap="md">
      {comparison.error && <Failure error={comparison.error} onRetry={() => comparison.refetch()} />}
      <CompareTable
        heading={heading}
        subjects={subjects}
        values={values}
        lines={styles}
        metrics={metrics}
        steps={steps.at}
        drawnOf={(metric) => drawn.get(metric)?.map((line) => line.values) ?? []}
        caption={`${caption}, ${rangeText(range)}`}
        isElapsed={isElapsed}
        age={
          <ExportComparison
            subjects={subjects}
            metrics={metrics}
            values={values}
            steps={steps}
            linesOf={(metric) => drawn.get(metric) ?? []}
            isElapsed={isElapsed}
            group={group}
          >
            {isLive(range) && <Age at={comparison.readAtMs} lateAfterS={90} />}
          </ExportComparison>
        }
        group={group}
        hidden={hidden}
        onToggle={toggle}
        onHighlight={setHighlighted}
      />
      <SimpleGrid cols={{ base: 1, sm: metrics.length === 1 ? 1 : 2 }} spacing="md">
        {metrics.map((metric) => {
          const { name, label, unit } = metric
          const ofMetric = drawn.get(name) ?? []
          const withEdges = withBands(lines, (n) => ofMetric[n]?.p10 !== undefined)
          const edges = ofMetric.flatMap(({ p10, p90 }) => (p10 && p90 ? [p90, p10] : []))
          return (
            <Chart
              key={name}
              title={unit ? `${label} (${unit})` : label}
              caption={label}
              unit={unit}
              scaleEnds={scaleEndsOf(name, unit)}
              thresholds={thresholdsOf(name)}
              summary={summaryOf(metric, subjects, values)}
              lines={withEdges.lines}
              bands={withEdges.bands}
              data={[steps.at, ...ofMetric.map((line) => line.values), ...edges]}
              fromMs={fromMs}
              toMs={toMs}
              isElapsed={isElapsed}
              gapMs={Infinity}
              group={group}
              highlighted={highlighted}
              height={metrics.length === 1 ? 380 : 180}
              fileName="comparison"
              onZoom={zoom}
              onReset={() => onRange(zoomedOut(range, Date.now()), second)}
            />
          )
        })}
      </SimpleGrid>
    </Stack>
  )
}

function summaryOf(
  { name, unit }: Metric,
  subjects: readonly Subject[],
  values: readonly (SubjectValues | undefined)[],
): string {
  const present = subjects.flatMap(({ label }, n) => {
    const value = values[n]?.byMetric.get(name)?.figures?.centre
    return value === undefined ? [] : [{ label, value }]
  })
  const ranked = present.toSorted((a, b) => a.value - b.value)
  const [lowest, highest] = [ranked[0], ranked.at(-1)]
  if (!lowest || !highest) return 'No data.'
  const describe = ({ label, value }: typeof lowest) => `${label}, ${formatWithUnit(value, unit)}`
  const count = present.length === 1 ? '1 line' : `${present.length} lines`
  return `${count}. Lowest: ${describe(lowest)}. Highest: ${describe(highest)}.`
}
