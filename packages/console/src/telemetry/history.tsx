import type { FleetAgent } from '@manc/sdk'
import { Group, Progress, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { formatNumber, formatWithUnit } from '../format/number.ts'
import { formatDateTime, utcOffset } from '../format/time.ts'
import { Empty, Failure } from '../ui/states.tsx'
import { ChartGroup } from './chart-group.ts'
import { toCsv } from './csv.ts'
import { CursorValues } from './cursor-values.tsx'
import { fileName } from './export-charts.ts'
import { ExportMenu } from './live-charts.tsx'
import { ZoomOut } from './live-controls.tsx'
import { MarkList } from './mark-list.tsx'
import { MetricCharts } from './metric-charts.tsx'
import { MetricPicker } from './metric-picker.tsx'
import { PeriodPicker } from './period-picker.tsx'
import { downsampled, sliceOf, valueNear } from './points.ts'
import type { HistoryData } from './read-history.ts'
import { useHistory } from './use-history.ts'
import { useMarks } from './use-marks.ts'
import { useMetricSelection, useMetrics } from './use-metrics.ts'

/** More points than a chart can show. */
const maxDrawn = 4000

/** Charts of all values of one access point in a period. */
export function History({ agent }: { agent: FleetAgent }) {
  const history = useHistory(agent.ap_id)
  const { data, isReading } = history
  return (
    <Stack gap="md" pt="md">
      <PeriodPicker isReading={isReading} onRead={history.read} onCancel={history.cancel} />
      {isReading && (
        <Stack gap={4}>
          <Progress value={(data?.progress ?? 0) * 100} aria-label="Loading progress" animated />
          <Text size="xs" c="dimmed" className="figures">
            {formatNumber(data?.count ?? 0)} values loaded
          </Text>
        </Stack>
      )}
      {history.error !== undefined && <Failure error={history.error} />}
      {data && data.count > 0 && <Charts agent={agent} data={data} isReading={isReading} />}
      {data?.isComplete && data.count === 0 && (
        <Empty title="No data in this period">Select a longer or a more recent period.</Empty>
      )}
      {!data && history.error === undefined && (
        <Empty title="No period selected">
          Select a period. All its values are loaded and can be exported as CSV.
        </Empty>
      )}
    </Stack>
  )
}

function Charts({ agent, data, isReading }: { agent: FleetAgent; data: HistoryData; isReading: boolean }) {
  const { data: labels = [] } = useMetrics(agent.ap_id)
  const [zoom, setZoom] = useState<[number, number]>()
  const [group] = useState(() => new ChartGroup('history'))
  const available = [...data.series.keys()].map(
    (name) => labels.find((metric) => metric.name === name) ?? { name, label: name, unit: '' },
  )
  const [shown, select] = useMetricSelection(agent.technology, available)
  const [fromMs, toMs] = zoom ?? [data.fromMs, data.toMs]
  const marks = useMarks(agent.ap_id, { fromMs, toMs })
  // The arrays grow in place while loading; `count` detects the change.
  const downsampledSeries = useMemo(
    () =>
      new Map(
        [...data.series].map(([name, points]) => [
          name,
          downsampled(sliceOf(points, fromMs, toMs), maxDrawn),
        ]),
      ),
    [data.series, data.count, fromMs, toMs],
  )
  const pointsOf = (name: string) => downsampledSeries.get(name) ?? { at: [], values: [] }
  const gapMs = Math.max(3500 * agent.telemetry_interval_s, (toMs - fromMs) / 200)
  const period = `${formatDateTime(data.fromMs)} to ${formatDateTime(data.toMs)} ${utcOffset(data.toMs)}`
  return (
    <>
      <Stack gap="sm" className="chart-bar" py="sm">
        <Group justify="space-between" gap="sm">
          <Text size="xs" c="dimmed" role="status" className="figures">
            {formatNumber(data.count)} values of {data.series.size} metrics
            {!data.isComplete && !isReading && ', incomplete: loading was stopped'}
          </Text>
          <Group gap="sm">
            {zoom && <ZoomOut onClick={() => setZoom(undefined)} />}
            <MarkList apId={agent.ap_id} found={marks} group={group} />
            <MetricPicker metrics={available} selected={shown.map(({ name }) => name)} onChange={select} />
            <ExportMenu
              name={fileName(`${agent.ap_id} history`, data.fromMs)}
              title={`${agent.name ?? agent.ap_id}, ${period}`}
              group={group}
              csv={() => toCsv([...data.series].map(([name, points]) => ({ name, points })))}
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
      <MetricCharts
        metrics={shown}
        pointsOf={pointsOf}
        technology={agent.technology}
        fromMs={fromMs}
        toMs={toMs}
        when="in this period"
        gapMs={gapMs}
        marks={marks.marks}
        intervals={marks.intervals}
        group={group}
        onZoom={(from, to) => setZoom([from, to])}
        onReset={() => setZoom(undefined)}
      />
    </>
  )
}
