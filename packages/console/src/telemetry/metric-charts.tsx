import { isKpi, levelOf } from '@manc/contract/kpis'
import type { Technology } from '@manc/sdk'
import { SimpleGrid, useComputedColorScheme } from '@mantine/core'
import { formatValue, formatWithUnit } from '../format/number.ts'
import { formatRecentTime } from '../format/time.ts'
import { colourOf } from '../ui/theme.ts'
import { Chart } from './chart.tsx'
import type { ChartGroup } from './chart-group.ts'
import { LevelBadge } from './level-badge.tsx'
import { type AlarmInterval, intervalsOfMetric, intervalsText, type Mark } from './marks.ts'
import type { Metric } from './metrics.ts'
import { type Points, type Statistics, statisticsOf, valueNear } from './points.ts'
import { scaleEndsOf, thresholdsOf } from './scales.ts'

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
  /** Of exported charts: the id of the access point. */
  fileName: string
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
        const statistics = statisticsOf(points, rest.fromMs, rest.toMs)
        const level = isKpi(name) && statistics ? levelOf(name, statistics.latest) : undefined
        const alarms = intervalsOfMetric(intervals, name)
        const alarmsText = intervalsText(alarms, rest.fromMs, rest.toMs, formatRecentTime)
        const inUnit = (value: number) => formatWithUnit(value, unit)
        return (
          <Chart
            key={name}
            {...rest}
            title={unit ? `${label} (${unit})` : label}
            caption={label}
            unit={unit}
            scaleEnds={scaleEndsOf(name, unit)}
            figure={formatWithUnit(statistics?.latest, unit)}
            figureAt={(ms) => formatWithUnit(valueNear(points, ms, rest.gapMs), unit)}
            statistics={statisticsText(statistics)}
            mark={isKpi(name) && <LevelBadge kpi={name} level={level} />}
            intervals={alarms}
            summary={`${
              statistics
                ? `Latest ${inUnit(statistics.latest)}${level && level !== 'good' ? ` (${level})` : ''}, lowest ${inUnit(statistics.lowest)}, highest ${inUnit(statistics.highest)}, ${when}.`
                : `No data, ${when}.`
            }${alarmsText}`}
            lines={[{ label: name, colour }]}
            thresholds={thresholdsOf(name)}
            data={[points.at.slice(), points.values.slice()]}
          />
        )
      })}
    </SimpleGrid>
  )
}

/** `min 1 · mean 2 · max 3 · p95 2.9` */
export function statisticsText(statistics: Omit<Statistics, 'latest'> | undefined): string {
  const values = [
    ['min', statistics?.lowest],
    ['mean', statistics?.mean],
    ['max', statistics?.highest],
    ['p95', statistics?.p95],
  ] as const
  return values
    .map(([name, value]) => `${name} ${value === undefined ? '–' : formatValue(value)}`)
    .join(' · ')
}
