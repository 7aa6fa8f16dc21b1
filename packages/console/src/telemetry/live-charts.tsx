import type { FleetAgent } from '@manc/sdk'
import { Button, Group, Menu, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import {
  IconDownload,
  IconPhoto,
  IconPlayerPause,
  IconPlayerPlay,
  IconTable,
  IconZoomReset,
} from '@tabler/icons-react'
import { useState } from 'react'
import { inWords } from '../frame/queries.ts'
import { Age, Empty, Failure, Loading, useNow } from '../frame/states.tsx'
import { inShort } from '../frame/time.ts'
import { ChartGroup } from './chart-group.ts'
import { toCsv } from './csv.ts'
import { useLive } from './live.ts'
import { MetricCharts } from './metric-charts.tsx'
import { MetricPicker } from './metric-picker.tsx'
import { withUnit } from './metrics.ts'
import { valueNear } from './points.ts'
import { Readout } from './readout.tsx'
import { fileName, saveCsv, savePng } from './save-file.ts'
import { useChosen, useMetrics } from './use-metrics.ts'
import { useWindow, WindowPicker, windowInWords } from './window-picker.tsx'

/** The last while of one access point, as it goes on. */
export function LiveCharts({ agent }: { agent: FleetAgent }) {
  const metrics = useMetrics(agent.ap_id)
  if (metrics.isPending) return <Loading what="the metrics" />
  if (metrics.isError) return <Failure error={metrics.error} onRetry={() => void metrics.refetch()} />
  if (metrics.data.length === 0)
    return (
      <Empty title="Nothing has been measured yet">
        It has sent no telemetry in the last week. Once it does, its charts appear here by themselves.
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
  const [shown, choose] = useChosen(agent.technology, available)
  const [pausedAtMs, setPausedAt] = useState<number>()
  const [zoom, setZoom] = useState<[number, number]>()
  const [group] = useState(() => new ChartGroup('live'))
  const isPaused = pausedAtMs !== undefined
  const live = useLive({ apIds: [agent.ap_id], metrics: shown.map(({ name }) => name), windowS, isPaused })
  const pointsOf = (name: string) => live.of(agent.ap_id, name)
  const toMs = zoom?.[1] ?? pausedAtMs ?? live.atMs ?? Date.now()
  const fromMs = zoom?.[0] ?? toMs - windowS * 1000
  // Averages have steps of up to a two-thousandth of the window.
  const gapMs = Math.max(3500 * agent.telemetry_interval_s, windowS * 2)
  const pickWindow = (seconds: number) => {
    setZoom(undefined)
    setPausedAt(undefined)
    setWindow(seconds)
  }
  return (
    <Stack gap="md">
      <Stack gap="sm" className="chart-bar" py="sm">
        <Group justify="space-between" gap="sm">
          <WindowPicker value={windowS} onChange={pickWindow} />
          <Group gap="sm">
            {isPaused ? <PausedFor sinceMs={pausedAtMs} /> : <Age at={live.atMs} />}
            {zoom && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconZoomReset size={14} />}
                onClick={() => setZoom(undefined)}
              >
                Zoom out
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              leftSection={isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
              onClick={() => setPausedAt(isPaused ? undefined : (live.atMs ?? Date.now()))}
            >
              {isPaused ? 'Resume' : 'Pause'}
            </Button>
            <MetricPicker metrics={available} chosen={shown.map(({ name }) => name)} onChange={choose} />
            <ExportMenu
              name={fileName(agent.ap_id, new Date(toMs))}
              title={`${agent.name ?? agent.ap_id}, ${windowInWords(windowS)}`}
              group={group}
              csv={() => toCsv(shown.map(({ name }) => ({ name, points: pointsOf(name) })))}
            />
          </Group>
        </Group>
        <Readout
          group={group}
          at={(moment) =>
            shown.map(({ name, label, unit }) => ({
              label,
              value: withUnit(valueNear(pointsOf(name), moment, gapMs), unit),
            }))
          }
        />
      </Stack>
      {live.error && <Failure error={live.error} onRetry={() => void live.refetch()} />}
      {live.atMs === undefined && !live.error && <Loading what="the charts" />}
      {shown.length === 0 && <Empty title="No chart is chosen">Choose some under Metrics.</Empty>}
      {live.atMs !== undefined && (
        <MetricCharts
          metrics={shown}
          pointsOf={pointsOf}
          technology={agent.technology}
          fromMs={fromMs}
          toMs={toMs}
          when={windowInWords(windowS)}
          gapMs={gapMs}
          group={group}
          onZoom={(from, to) => setZoom([from, to])}
          onReset={() => setZoom(undefined)}
        />
      )}
    </Stack>
  )
}

function PausedFor({ sinceMs }: { sinceMs: number }) {
  const now = useNow()
  return (
    <Text size="xs" fw={600} className="figures" role="status">
      Paused, {inShort(now - sinceMs)} old
    </Text>
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
  const picture = async () => {
    try {
      await savePng(name, title, group, scheme)
    } catch (error) {
      notifications.show({ color: 'red', message: inWords(error) })
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
        <Menu.Item leftSection={<IconPhoto size={14} />} onClick={() => void picture()}>
          Charts as PNG
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
