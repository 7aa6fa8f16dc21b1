import type { ExperimentDetails, ExperimentSeries } from '@manc/sdk'
import { Group, Select, SimpleGrid, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { formatValue } from '../format/number.ts'
import { Chart } from '../telemetry/chart.tsx'
import { ChartGroup } from '../telemetry/chart-group.ts'
import { Failure, Loading } from '../ui/states.tsx'
import { colourOf } from '../ui/theme.ts'
import { policyText } from './experiment-texts.ts'
import { alignedSeries } from './run-series.ts'
import { useRun } from './use-experiments.ts'

const charts = [
  { name: 'mean_mbps', title: 'Mean throughput (Mbit/s)', unit: 'Mbit/s' },
  { name: 'p5_mbps', title: 'Throughput of the worst 5 % (Mbit/s)', unit: 'Mbit/s' },
  { name: 'clients', title: 'Attached clients', unit: '' },
  { name: 'handovers', title: 'Handovers', unit: '' },
] as const satisfies readonly { name: keyof ExperimentSeries; title: string; unit: string }[]

/** Two runs side by side, from their start. */
export function CompareRuns({ experiment }: { experiment: ExperimentDetails }) {
  const { id, run_list: runs } = experiment
  const search = useSearch({ from: '/inside/experiments' })
  const navigate = useNavigate()
  const finished = runs.filter(({ state }) => state === 'finished')
  // Those of the address, if they have finished; otherwise of the first seed, with the first and the last policy.
  const chosen = (run: number | undefined) => finished.find((one) => one.run === run)?.run
  const a = chosen(search.a) ?? finished[0]?.run
  const seed = finished[0]?.seed
  const b = chosen(search.b) ?? finished.findLast((run) => run.seed === seed)?.run
  const [first, second] = [useRun(id, a), useRun(id, b)]
  if (finished.length === 0) return null
  const data = finished.map(({ run, policy, seed: of }) => ({
    value: String(run),
    label: `${policyText(policy)}, seed ${of}`,
  }))
  const choose = (name: 'a' | 'b') => (value: string | null) =>
    void navigate({
      to: '/experiments',
      search: (before) => ({ ...before, ...(value !== null && { [name]: Number(value) }) }),
      replace: true,
    })
  return (
    <Stack gap="md">
      <Text fw={600}>Run beside run</Text>
      <Group gap="md">
        <Select
          label="Run A"
          data={data}
          value={String(a)}
          onChange={choose('a')}
          allowDeselect={false}
          w={320}
        />
        <Select
          label="Run B"
          data={data}
          value={String(b)}
          onChange={choose('b')}
          allowDeselect={false}
          w={320}
        />
      </Group>
      {(first.isError || second.isError) && <Failure error={first.error ?? second.error} />}
      {(first.isPending || second.isPending) && <Loading what="runs" />}
      {first.data?.series && second.data?.series && (
        <SeriesCharts key={`${a} ${b}`} a={first.data.series} b={second.data.series} />
      )}
    </Stack>
  )
}

function SeriesCharts({ a, b }: { a: ExperimentSeries; b: ExperimentSeries }) {
  const scheme = useComputedColorScheme('light')
  const [group] = useState(() => new ChartGroup('experiment'))
  const endMs = 1000 * Math.max(a.s.at(-1) ?? 1, b.s.at(-1) ?? 1)
  const [range, setRange] = useState<[number, number]>([0, endMs])
  const lines = [
    { label: 'Run A', colour: colourOf('WiFi', scheme) },
    { label: 'Run B', colour: colourOf('LiFi', scheme), dash: [7, 4] },
  ]
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {charts.map(({ name, title, unit }) => (
        <Chart
          key={name}
          title={title}
          unit={unit}
          summary={`Run A, solid: mean ${meanText(a[name])}. Run B, dashed: mean ${meanText(b[name])}.`}
          statistics={`Run A, solid: ${meanText(a[name])}. Run B, dashed: ${meanText(b[name])}`}
          lines={lines}
          data={alignedSeries(a, b, name)}
          fromMs={range[0]}
          toMs={range[1]}
          isElapsed
          gapMs={Infinity}
          group={group}
          fileName="experiment"
          onZoom={(fromMs, toMs) => setRange([fromMs, toMs])}
          onReset={() => setRange([0, endMs])}
        />
      ))}
    </SimpleGrid>
  )
}

const meanText = (values: readonly number[]) =>
  formatValue(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length))
