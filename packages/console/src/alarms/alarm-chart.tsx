import { isKpi } from '@manc/contract/kpis'
import type { Alarm, AlarmRule } from '@manc/sdk'
import { Text, useComputedColorScheme } from '@mantine/core'
import { useMemo, useState } from 'react'
import { formatDateTime, formatRecentTime } from '../format/time.ts'
import { isLive, type Period } from '../range/time-range.ts'
import { useTimeRange } from '../range/use-time-range.ts'
import { Chart } from '../telemetry/chart.tsx'
import { ChartGroup } from '../telemetry/chart-group.ts'
import type { Threshold } from '../telemetry/draw-thresholds.ts'
import { intervalOf, intervalsText } from '../telemetry/marks.ts'
import { statisticsText } from '../telemetry/metric-charts.tsx'
import { statisticsOf } from '../telemetry/points.ts'
import { scaleEndsOf, thresholdsOf } from '../telemetry/scales.ts'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { colourOf } from '../ui/theme.ts'
import { metricLabel, unitOf, valueText } from './alarm-texts.ts'
import { useAlarmPoints } from './use-alarm-points.ts'

interface AlarmChartProps {
  alarm: Alarm
  /** Undefined if it was deleted. */
  rule: AlarmRule | undefined
}

/** The metric around the alarm. Other metrics and events are on the page of the access point. */
export function AlarmChart({ alarm, rule }: AlarmChartProps) {
  if (isKpi(alarm.metric)) return <KpiChart alarm={alarm} rule={rule} />
  return (
    <Text size="sm" c="dimmed">
      {alarm.metric === 'presence'
        ? 'No chart: an access point that is offline sends no values.'
        : 'No chart: the values of an expression are not stored.'}
    </Text>
  )
}

function KpiChart({ alarm, rule }: AlarmChartProps) {
  const { metric, technology } = alarm
  const scheme = useComputedColorScheme('light')
  const read = useAlarmPoints(alarm)
  const { range, setRange } = useTimeRange(undefined)
  const [group] = useState(() => new ChartGroup('alarm'))
  const intervals = useMemo(() => [intervalOf(alarm)], [alarm])
  if (read.isPending) return <Loading what="chart" />
  if (!read.data) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  const { points } = read.data
  // The range of other pages may be another time.
  const zoom = range && !isLive(range) && isWithin(range, read.data) ? range : undefined
  const { fromMs, toMs } = zoom ?? read.data
  const extent = statisticsOf(points, fromMs, toMs)
  if (!extent && !zoom)
    return <Empty title="No values">The values of this period are not stored any more.</Empty>
  const inUnit = (value: number) => valueText(metric, value)
  const summary = extent
    ? `Lowest ${inUnit(extent.lowest)}, highest ${inUnit(extent.highest)}, ${formatDateTime(fromMs)} to ${formatDateTime(toMs)}.`
    : 'No data.'
  const label = metricLabel(metric)
  const unit = unitOf(metric)
  return (
    <Chart
      title={unit ? `${label} (${unit})` : label}
      summary={`${summary}${intervalsText(intervals, fromMs, toMs, formatRecentTime)}`}
      lines={[{ label, colour: colourOf(technology, scheme) }]}
      thresholds={thresholdsFor(alarm, rule)}
      intervals={intervals}
      data={[points.at, points.values]}
      fromMs={fromMs}
      toMs={toMs}
      gapMs={Math.max(60_000, (toMs - fromMs) / 100)}
      group={group}
      height={220}
      unit={unit}
      scaleEnds={scaleEndsOf(metric, unit)}
      statistics={statisticsText(extent)}
      fileName={alarm.ap_id}
      onZoom={(from, to) => setRange({ fromMs: from, toMs: to })}
      onReset={() => setRange(undefined)}
    />
  )
}

const isWithin = (inner: Period, outer: Period): boolean =>
  inner.fromMs >= outer.fromMs && inner.toMs <= outer.toMs

/** The threshold of the rule as it is now, which may have changed since; otherwise those of the KPI. */
function thresholdsFor({ metric, severity }: Alarm, rule: AlarmRule | undefined): Threshold[] {
  const threshold = rule?.raise_threshold ?? undefined
  if (threshold === undefined) return thresholdsOf(metric)
  return [
    {
      value: threshold,
      level: severity === 'critical' ? 'bad' : 'degraded',
      isAlwaysShown: true,
      side: rule?.raise_op?.startsWith('<') ? 'below' : 'above',
    },
  ]
}
