import { Group, SimpleGrid, Stack, useComputedColorScheme } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { formatWithUnit } from '../format/number.ts'
import { Chart } from '../telemetry/chart.tsx'
import { ChartGroup } from '../telemetry/chart-group.ts'
import { useLive } from '../telemetry/live.ts'
import { PausedFor, ZoomOut } from '../telemetry/live-controls.tsx'
import type { Metric } from '../telemetry/metrics.ts'
import { windowText } from '../telemetry/windows.ts'
import { Age, Failure, Loading } from '../ui/states.tsx'
import { bucketed, meanOf, stepsOf } from './buckets.ts'
import { linesOf, type Subject } from './compare-lines.ts'
import { CompareTable } from './compare-table.tsx'

/** Longest usual interval between two samples of an agent. */
const holdMs = 12_000

interface CompareChartsProps {
  /** What a line is: `Access point`. */
  heading: string
  subjects: readonly Subject[]
  metrics: readonly Metric[]
  windowS: number
}

/** One chart for each metric, one line for each subject. */
export function CompareCharts({ heading, subjects, metrics, windowS }: CompareChartsProps) {
  const scheme = useComputedColorScheme('light')
  const [group] = useState(() => new ChartGroup('compare'))
  const [zoom, setZoom] = useState<[number, number]>()
  const [highlighted, setHighlighted] = useState<number>()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const apIds = subjects.flatMap((subject) => subject.apIds)
  // A new selection is not limited to the zoomed period.
  useEffect(() => setZoom(undefined), [apIds.join(), metrics, windowS])
  const live = useLive({
    apIds,
    metrics: metrics.map(({ name }) => name),
    windowS,
    // A zoomed chart does not move.
    isPaused: zoom !== undefined,
  })
  const { toMs } = live
  const fromMs = toMs - windowS * 1000
  const steps = useMemo(() => stepsOf(fromMs, toMs), [fromMs, toMs])
  const values = useMemo(
    () =>
      new Map(
        metrics.map(({ name }) => [
          name,
          subjects.map((subject) =>
            meanOf(subject.apIds.map((apId) => bucketed(live.pointsOf(apId, name), steps, holdMs))),
          ),
        ]),
      ),
    // The data behind `live` changes together with `steps`.
    [metrics, subjects, steps],
  )
  const styles = linesOf(subjects, scheme)
  const lines = styles.map((line, n) => ({ ...line, isHidden: hidden.has(subjects[n]?.key ?? '') }))
  const toggle = (key: string) => {
    const next = new Set(hidden)
    if (!next.delete(key)) next.add(key)
    setHidden(next)
  }
  if (live.error && live.atMs === undefined)
    return <Failure error={live.error} onRetry={() => void live.refetch()} />
  if (live.atMs === undefined) return <Loading what="comparison" />
  return (
    <Stack gap="md">
      {live.error && <Failure error={live.error} />}
      <CompareTable
        heading={heading}
        subjects={subjects}
        lines={styles}
        metrics={metrics}
        steps={steps.at}
        valuesOf={(metric) => values.get(metric) ?? []}
        when={windowText(windowS)}
        age={
          zoom ? (
            <Group gap="sm">
              <PausedFor sinceMs={live.atMs} />
              <ZoomOut onClick={() => setZoom(undefined)} />
            </Group>
          ) : (
            <Age at={live.lastUpdateMs} lateAfterS={15} />
          )
        }
        group={group}
        hidden={hidden}
        onToggle={toggle}
        onHighlight={setHighlighted}
      />
      <SimpleGrid cols={metrics.length === 1 ? 1 : { base: 1, sm: 2, xl: 3 }} spacing="md">
        {metrics.map((metric) => (
          <Chart
            key={metric.name}
            title={metric.unit ? `${metric.label} (${metric.unit})` : metric.label}
            summary={summaryOf(metric, subjects, values.get(metric.name) ?? [])}
            lines={lines}
            data={[steps.at, ...(values.get(metric.name) ?? [])]}
            fromMs={zoom?.[0] ?? fromMs}
            toMs={zoom?.[1] ?? toMs}
            gapMs={Infinity}
            group={group}
            highlighted={highlighted}
            height={metrics.length === 1 ? 380 : 180}
            onZoom={(from, to) => setZoom([from, to])}
            onReset={() => setZoom(undefined)}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

function summaryOf(
  { unit }: Metric,
  subjects: readonly Subject[],
  values: readonly (readonly (number | null)[])[],
): string {
  const latest = subjects.flatMap(({ label }, n) => {
    const value = values[n]?.findLast((each) => each !== null)
    return typeof value === 'number' ? [{ label, value }] : []
  })
  const ranked = latest.toSorted((a, b) => a.value - b.value)
  const [lowest, highest] = [ranked[0], ranked.at(-1)]
  if (!lowest || !highest) return 'No data.'
  const describe = ({ label, value }: typeof lowest) => `${label}, ${formatWithUnit(value, unit)}`
  const count = latest.length === 1 ? '1 line' : `${latest.length} lines`
  return `${count}. Lowest now: ${describe(lowest)}. Highest now: ${describe(highest)}.`
}
