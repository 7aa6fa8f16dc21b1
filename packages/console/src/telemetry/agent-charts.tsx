import type { FleetAgent } from '@manc/sdk'
import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { formatWithUnit } from '../format/number.ts'
import { isLive, rangeText, type TimeRange, zoomedOut } from '../range/time-range.ts'
import { Age, Empty, Failure, Loading } from '../ui/states.tsx'
import { ChartGroup } from './chart-group.ts'
import { toCsv } from './csv.ts'
import { CursorValues } from './cursor-values.tsx'
import { fileName } from './export-charts.ts'
import { ExportMenu } from './export-menu.tsx'
import { MarkList } from './mark-list.tsx'
import { MetricCharts } from './metric-charts.tsx'
import { MetricPicker } from './metric-picker.tsx'
import { commonMetrics, type Metric, metricOfKpi } from './metrics.ts'
import { valueNear } from './points.ts'
import { useMarks } from './use-marks.ts'
import { useMetricSelection, useMetrics } from './use-metrics.ts'
import { useReadings } from './use-readings.ts'

interface AgentChartsProps {
  agent: FleetAgent
  range: TimeRange
  onRange: (range: TimeRange | undefined) => void
  /** Names of metrics in the address; undefined: the last selection. */
  selected: readonly string[] | undefined
  onSelect: (metrics: string[]) => void
}

/** Charts of one access point. */
export function AgentCharts(props: AgentChartsProps) {
  const metrics = useMetrics(props.agent.ap_id)
  if (metrics.isPending) return <Loading what="metrics" />
  if (metrics.isError && !metrics.data)
    return <Failure error={metrics.error} onRetry={() => void metrics.refetch()} />
  if (metrics.data.length > 0) return <Charts {...props} available={metrics.data} />
  // An earlier period may have values.
  if (!isLive(props.range)) return <Charts {...props} available={commonMetrics.map(metricOfKpi)} />
  return (
    <Empty title="No telemetry">
      The agent has sent no telemetry in the last 7 days. Check that it is running; charts appear when it
      sends data. Select a period under Time range to see earlier data.
    </Empty>
  )
}

function Charts({
  agent,
  range,
  onRange,
  selected,
  onSelect,
  available,
}: AgentChartsProps & { available: readonly Metric[] }) {
  const { ap_id: apId, telemetry_interval_s: intervalS } = agent
  const [shown, select] = useMetricSelection(agent.technology, available, { selected, onSelect })
  const [group] = useState(() => new ChartGroup('access point'))
  const readings = useReadings({ apId, metrics: shown.map(({ name }) => name), range })
  const { fromMs, toMs, pointsOf } = readings
  const marks = useMarks(apId, isLive(range) ? { windowS: range.lastS } : { fromMs, toMs })
  // The controller averages over steps of up to 1/2000 of the period.
  const gapMs = Math.max(3500 * intervalS, (toMs - fromMs) / 500)
  return (
    <Stack gap="md">
      <Stack gap={4} className="chart-bar" py="sm">
        <Group justify="space-between" gap="sm">
          {isLive(range) ? (
            <Age at={readings.lastUpdateMs} lateAfterS={Math.max(10, 3 * intervalS)} />
          ) : (
            <span />
          )}
          <Group gap="sm">
            <MarkList apId={apId} found={marks} group={group} />
            <MetricPicker metrics={available} selected={shown.map(({ name }) => name)} onChange={select} />
            <ExportMenu
              agent={agent}
              name={fileName(apId, toMs)}
              title={`${agent.name ?? apId}, ${rangeText(range)}`}
              group={group}
              period={{ fromMs, toMs }}
              csv={() => toCsv(shown.map(({ name }) => ({ name, points: pointsOf(name) })))}
            />
          </Group>
        </Group>
        <CursorValues
          group={group}
          at={(cursorMs) =>
            shown.map(({ name, label, unit }) => ({
              label,
              value: formatWithUnit(valueNear(pointsOf(name), cursorMs, gapMs), unit),
            }))
          }
        />
      </Stack>
      {readings.error && <Failure error={readings.error} onRetry={() => void readings.refetch()} />}
      {!readings.isRead && !readings.error && shown.length > 0 && <Loading what="charts" />}
      {shown.length === 0 && <Empty title="No metrics selected">Select metrics under Metrics.</Empty>}
      {readings.isRead && (
        <MetricCharts
          metrics={shown}
          pointsOf={pointsOf}
          technology={agent.technology}
          fromMs={fromMs}
          toMs={toMs}
          when={rangeText(range)}
          gapMs={gapMs}
          marks={marks.marks}
          intervals={marks.intervals}
          group={group}
          fileName={apId}
          onZoom={(from, to) => onRange({ fromMs: from, toMs: to })}
          onReset={() => onRange(zoomedOut(range, Date.now()))}
        />
      )}
    </Stack>
  )
}
