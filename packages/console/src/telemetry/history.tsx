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
import { MetricCharts } from './metric-charts.tsx'
import { MetricPicker } from './metric-picker.tsx'
import { PeriodPicker } from './period-picker.tsx'
import { downsampled, sliceOf, valueNear } from './points.ts'
import type { HistoryData } from './read-history.ts'
import { useHistory } from './use-history.ts'
import { useMetricSelection, useMetrics } from './use-metrics.ts'

/** More than a chart of this size can show. */
const maxDrawn = 4000

/** What one access point did in a period, every value of it. */
export function History({ agent }: { agent: FleetAgent }) {
  const history = useHistory(agent.ap_id)
  const { past, isReading } = history
  return (
    <Stack gap="md" pt="md">
      <PeriodPicker isReading={isReading} onRead={history.read} onCancel={history.cancel} />
      {isReading && (
        <Stack gap={4}>
          <Progress value={(past?.progress ?? 0) * 100} aria-label="Loading progress" animated />
          <Text size="xs" c="dimmed" className="figures">
            {formatNumber(past?.count ?? 0)} values loaded
          </Text>
        </Stack>
      )}
      {history.error !== undefined && <Failure error={history.error} />}
      {past && past.count > 0 && <Charts agent={agent} past={past} isReading={isReading} />}
      {past?.isComplete && past.count === 0 && (
        <Empty title="No data in this period">Select a longer or a more recent period.</Empty>
      )}
      {!past && history.error === undefined && (
        <Empty title="No period selected">
          Select a period. All its values are loaded and can be exported as CSV.
        </Empty>
      )}
    </Stack>
  )
}

function Charts({ agent, past, isReading }: { agent: FleetAgent; past: HistoryData; isReading: boolean }) {
  const { data: labels = [] } = useMetrics(agent.ap_id)
  const [zoom, setZoom] = useState<[number, number]>()
  const [group] = useState(() => new ChartGroup('history'))
  const available = [...past.series.keys()].map(
    (name) => labels.find((metric) => metric.name === name) ?? { name, label: name, unit: '' },
  )
  const [shown, choose] = useMetricSelection(agent.technology, available)
  const [fromMs, toMs] = zoom ?? [past.fromMs, past.toMs]
  // While it is being read the arrays grow in place: `count` tells them apart.
  const drawn = useMemo(
    () =>
      new Map(
        [...past.series].map(([name, points]) => [
          name,
          downsampled(sliceOf(points, fromMs, toMs), maxDrawn),
        ]),
      ),
    [past.series, past.count, fromMs, toMs],
  )
  const pointsOf = (name: string) => drawn.get(name) ?? { at: [], values: [] }
  const gapMs = Math.max(3500 * agent.telemetry_interval_s, (toMs - fromMs) / 200)
  const period = `${formatDateTime(past.fromMs)} to ${formatDateTime(past.toMs)} ${utcOffset(past.toMs)}`
  return (
    <>
      <Stack gap="sm" className="chart-bar" py="sm">
        <Group justify="space-between" gap="sm">
          <Text size="xs" c="dimmed" role="status" className="figures">
            {formatNumber(past.count)} values of {past.series.size} metrics
            {!past.isComplete && !isReading && ', incomplete: loading was stopped'}
          </Text>
          <Group gap="sm">
            {zoom && <ZoomOut onClick={() => setZoom(undefined)} />}
            <MetricPicker metrics={available} chosen={shown.map(({ name }) => name)} onChange={choose} />
            <ExportMenu
              name={fileName(`${agent.ap_id} history`, past.fromMs)}
              title={`${agent.name ?? agent.ap_id}, ${period}`}
              group={group}
              csv={() => toCsv([...past.series].map(([name, points]) => ({ name, points })))}
            />
          </Group>
        </Group>
        <CursorValues
          group={group}
          at={(moment) =>
            shown.map(({ name, label, unit }) => ({
              label,
              value: formatWithUnit(valueNear(pointsOf(name), moment, gapMs), unit),
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
        group={group}
        onZoom={(from, to) => setZoom([from, to])}
        onReset={() => setZoom(undefined)}
      />
    </>
  )
}
