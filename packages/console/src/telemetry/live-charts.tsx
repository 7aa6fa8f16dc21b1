import type { FleetAgent } from '@manc/sdk'
import { Button, Group, Menu, Stack, useComputedColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload, IconPhoto, IconPlayerPause, IconPlayerPlay, IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { formatWithUnit } from '../format/number.ts'
import { errorText } from '../ui/error-text.ts'
import { Age, Empty, Failure, Loading } from '../ui/states.tsx'
import { ChartGroup } from './chart-group.ts'
import { toCsv } from './csv.ts'
import { CursorValues } from './cursor-values.tsx'
import { fileName, saveCsv, savePng } from './export-charts.ts'
import { useLive } from './live.ts'
import { PausedFor, ZoomOut } from './live-controls.tsx'
import { MarkList } from './mark-list.tsx'
import { MetricCharts } from './metric-charts.tsx'
import { MetricPicker } from './metric-picker.tsx'
import { valueNear } from './points.ts'
import { useMarks } from './use-marks.ts'
import { useMetricSelection, useMetrics } from './use-metrics.ts'
import { useWindow, WindowPicker } from './window-picker.tsx'
import { windowText } from './windows.ts'

/** Live charts of one access point. */
export function LiveCharts({ agent }: { agent: FleetAgent }) {
  const metrics = useMetrics(agent.ap_id)
  if (metrics.isPending) return <Loading what="metrics" />
  if (metrics.isError && !metrics.data)
    return <Failure error={metrics.error} onRetry={() => void metrics.refetch()} />
  if (metrics.data.length === 0)
    return (
      <Empty title="No telemetry">
        The agent has sent no telemetry in the last 7 days. Check that it is running; charts appear when it
        sends data.
      </Empty>
    )
  return <Charts agent={agent} available={metrics.data} />
}

function Charts({
  agent,
  available,
}: {
  agent: FleetAgent
  available: NonNullable<ReturnType<typeof useMetrics>['data']>
}) {
  const [windowS, setWindow] = useWindow()
  const [shown, select] = useMetricSelection(agent.technology, available)
  const [isPausedByUser, setPausedByUser] = useState(false)
  const [zoom, setZoom] = useState<[number, number]>()
  const [group] = useState(() => new ChartGroup('live'))
  // A zoomed chart does not move.
  const isPaused = isPausedByUser || zoom !== undefined
  const live = useLive({ apIds: [agent.ap_id], metrics: shown.map(({ name }) => name), windowS, isPaused })
  const pointsOf = (name: string) => live.pointsOf(agent.ap_id, name)
  const toMs = zoom?.[1] ?? live.toMs
  const fromMs = zoom?.[0] ?? toMs - windowS * 1000
  const marks = useMarks(agent.ap_id, zoom ? { fromMs, toMs } : { windowS }, isPaused)
  // The controller averages over steps of up to 1/2000 of the window.
  const gapMs = Math.max(3500 * agent.telemetry_interval_s, windowS * 2)
  const resume = () => {
    setZoom(undefined)
    setPausedByUser(false)
  }
  const pickWindow = (seconds: number) => {
    resume()
    setWindow(seconds)
  }
  const pickMetrics = (names: string[]) => {
    resume()
    select(names)
  }
  return (
    <Stack gap="md">
      <Stack gap="sm" className="chart-bar" py="sm">
        <Group justify="space-between" gap="sm">
          <WindowPicker value={windowS} onChange={pickWindow} />
          <Group gap="sm">
            {isPaused && live.atMs ? (
              <PausedFor sinceMs={live.atMs} />
            ) : (
              <Age at={live.lastUpdateMs} lateAfterS={Math.max(10, 3 * agent.telemetry_interval_s)} />
            )}
            {zoom && <ZoomOut onClick={() => setZoom(undefined)} />}
            <Button
              size="xs"
              variant="default"
              leftSection={isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
              onClick={() => (isPaused ? resume() : setPausedByUser(true))}
            >
              {isPaused ? 'Resume' : 'Pause'}
            </Button>
            <MarkList apId={agent.ap_id} found={marks} group={group} />
            <MetricPicker
              metrics={available}
              selected={shown.map(({ name }) => name)}
              onChange={pickMetrics}
            />
            <ExportMenu
              name={fileName(agent.ap_id, toMs)}
              title={`${agent.name ?? agent.ap_id}, ${windowText(windowS)}`}
              group={group}
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
      {live.error && <Failure error={live.error} onRetry={() => void live.refetch()} />}
      {live.atMs === undefined && !live.error && <Loading what="charts" />}
      {shown.length === 0 && <Empty title="No metrics selected">Select metrics under Metrics.</Empty>}
      {live.atMs !== undefined && (
        <MetricCharts
          metrics={shown}
          pointsOf={pointsOf}
          technology={agent.technology}
          fromMs={fromMs}
          toMs={toMs}
          when={windowText(windowS)}
          gapMs={gapMs}
          marks={marks.marks}
          intervals={marks.intervals}
          group={group}
          onZoom={(from, to) => setZoom([from, to])}
          onReset={() => setZoom(undefined)}
        />
      )}
    </Stack>
  )
}

interface ExportMenuProps {
  name: string
  title: string
  group: ChartGroup
  csv: () => string
}

export function ExportMenu({ name, title, group, csv }: ExportMenuProps) {
  const scheme = useComputedColorScheme('light')
  const saveImage = async () => {
    try {
      await savePng(name, title, group, scheme)
    } catch (error) {
      notifications.show({ color: 'red', message: errorText(error) })
    }
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconTable size={14} />} onClick={() => saveCsv(name, csv())}>
          Values as CSV
        </Menu.Item>
        <Menu.Item leftSection={<IconPhoto size={14} />} onClick={() => void saveImage()}>
          Charts as PNG
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
