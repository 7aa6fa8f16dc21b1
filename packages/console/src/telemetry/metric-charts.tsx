import { isKpi, kpis, levelOf } from '@manc/contract/kpis'
import type { Technology } from '@manc/sdk'
import { SimpleGrid, useComputedColorScheme } from '@mantine/core'
import { formatWithUnit } from '../format/number.ts'
import { formatRecentTime } from '../format/time.ts'
import { colourOf } from '../ui/theme.ts'
import { Chart } from './chart.tsx'
import type { ChartGroup } from './chart-group.ts'
import { LevelBadge } from './level-badge.tsx'
import { type AlarmInterval, intervalsOfMetric, intervalsText, type Mark } from './marks.ts'
import type { Metric } from './metrics.ts'
import type { Threshold } from './plot-options.ts'
import { extentOf, type Points } from './points.ts'

interface MetricChartsProps {
  metrics: readonly Metric[]
  pointsOf: (metric: string) => Points
  technology: Technology
  fromMs: number
  toMs: number
  /** For the summary: `the last 5 minutes`. */
  when: string
  gapMs: number
  marks: readonly Mark[]
  intervals: readonly AlarmInterval[]
  group: ChartGroup
  onZoom: (fromMs: number, toMs: number) => void
  onReset: () => void
}

/** One chart for each metric of one access point. */
export function MetricCharts({ metrics, pointsOf, technology, when, intervals, ...rest }: MetricChartsProps) {
  const scheme = useComputedColorScheme('light')
  const colour = colourOf(technology, scheme)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {metrics.map(({ name, label, unit }) => {
        const points = pointsOf(name)
        const extent = extentOf(points, rest.fromMs, rest.toMs)
        const level = isKpi(name) && extent ? levelOf(name, extent.latest) : undefined
        const alarms = intervalsOfMetric(intervals, name)
        const alarmsText = intervalsText(alarms, rest.fromMs, rest.toMs, formatRecentTime)
        const inUnit = (value: number) => formatWithUnit(value, unit)
        return (
          <Chart
            key={name}
            {...rest}
            title={unit ? `${label} (${unit})` : label}
            caption={label}
            figure={formatWithUnit(extent?.latest, unit)}
            mark={isKpi(name) && <LevelBadge kpi={name} level={level} />}
            intervals={alarms}
            summary={`${
              extent
                ? `Latest ${inUnit(extent.latest)}${level && level !== 'good' ? ` (${level})` : ''}, lowest ${inUnit(extent.lowest)}, highest ${inUnit(extent.highest)}, ${when}.`
                : `No data, ${when}.`
            }${alarmsText}`}
            lines={[{ label, colour }]}
            thresholds={thresholdsOf(name)}
            data={[points.at.slice(), points.values.slice()]}
          />
        )
      })}
    </SimpleGrid>
  )
}

function thresholdsOf(name: string): Threshold[] {
  const thresholds = isKpi(name) ? kpis[name].thresholds : undefined
  if (!thresholds) return []
  return (['degraded', 'bad'] as const).map((level) => ({ level, value: thresholds[level] }))
}
