import { Alert, Group, SegmentedControl, Select, Stack, Switch, Text, Title } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { RangePicker } from '../range/range-picker.tsx'
import { periodOf, rangeSearch, type TimeRange, usualRange } from '../range/time-range.ts'
import { useTimeRange } from '../range/use-time-range.ts'
import { commonMetrics, metricOfKpi } from '../telemetry/metrics.ts'
import { Empty, Failure, Loading, useNow } from '../ui/states.tsx'
import { CompareCharts } from './compare-charts.tsx'
import { ComparePicker } from './compare-picker.tsx'
import { type Comparison, fromSearch, maxInGroup, maxOf, toSearch } from './compare-search.ts'
import { subjectsOf, useChosenAgents } from './compare-subjects.ts'
import { SecondPeriod } from './second-period.tsx'

const metrics = commonMetrics.map(metricOfKpi)
const technologies = ['5G', 'WiFi', 'LiFi'] as const

/** Compares access points, technologies or two periods by common metrics. */
export function Compare() {
  const navigate = useNavigate()
  const search = useSearch({ from: '/inside/compare' })
  const comparison = useMemo(() => fromSearch({ ...search }), [search])
  const { mode, agents, isGroup, technology, second, metric, hidden } = comparison
  const picker = useTimeRange(usualRange)
  const { range } = picker
  const change = (changes: Partial<Comparison>, to?: TimeRange) =>
    void navigate({
      to: '/compare',
      search: { ...toSearch({ ...comparison, ...changes }), ...(to && rangeSearch(to)) },
      // A zoom can be undone with the back button.
      replace: to === undefined,
      resetScroll: false,
    })
  const isOfTechnology = mode === 'technologies' || (mode === 'periods' && technology !== undefined)
  const areLines = !isOfTechnology && !isGroup
  const chosen = useChosenAgents(areLines ? agents : [])
  const found = areLines ? chosen.data : undefined
  const subjects = useMemo(() => subjectsOf(comparison, found?.agents ?? []), [comparison, found])
  const shown = useMemo(() => (metric ? metrics.filter(({ name }) => name === metric) : metrics), [metric])
  const setMode = (next: string) =>
    change({
      mode: next as Comparison['mode'],
      hidden: [],
      // Two periods of a technology need no further choice.
      technology: next === 'periods' && agents.length === 0 ? (technology ?? 'WiFi') : technology,
    })
  return (
    <Stack gap="md" px="lg" py="md">
      <Group justify="space-between" gap="sm">
        <Title order={1} size="h4">
          Compare
        </Title>
        <RangePicker {...picker} canPause />
      </Group>
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label="Compare"
          value={mode}
          onChange={setMode}
          data={[
            { value: 'agents', label: 'Access points' },
            { value: 'technologies', label: 'Technologies' },
            { value: 'periods', label: 'Two periods' },
          ]}
        />
        {mode === 'periods' && (
          <SegmentedControl
            size="xs"
            aria-label="Periods of"
            value={technology ?? ''}
            onChange={(value) =>
              change({ technology: technologies.find((each) => each === value), hidden: [] })
            }
            data={[
              ...technologies.map((each) => ({ value: each as string, label: each as string })),
              { value: '', label: 'Access points' },
            ]}
          />
        )}
        <Select
          size="xs"
          w={180}
          aria-label="Metrics"
          allowDeselect={false}
          maxDropdownHeight={400}
          value={metric ?? ''}
          onChange={(value) => change({ metric: value || undefined })}
          data={[
            { value: '', label: 'All common metrics' },
            ...metrics.map(({ name, label }) => ({ value: name, label })),
          ]}
        />
      </Group>
      {mode === 'periods' && (
        <Periods range={range} second={second} onChange={(next) => change({ second: next })} />
      )}
      {!isOfTechnology && (
        <ComparePicker
          chosen={agents}
          known={found?.agents ?? []}
          max={isGroup ? maxInGroup : maxOf(mode)}
          onChange={(apIds) => change({ agents: apIds, hidden: [] })}
        >
          <Switch
            size="xs"
            label="As one group, by the median"
            checked={isGroup}
            disabled={agents.length > maxOf(mode)}
            onChange={({ currentTarget }) => change({ isGroup: currentTarget.checked, hidden: [] })}
          />
        </ComparePicker>
      )}
      {!isOfTechnology && agents.length === 0 && (
        <Empty title="No access points selected">
          Select access points above, or compare technologies or two periods. The page address contains the
          selection: copy it to share this comparison.
        </Empty>
      )}
      {found && found.missing.length > 0 && (
        <Alert color="gray">
          <Text size="sm">
            Not found: {found.missing.join(', ')}. Remove {found.missing.length === 1 ? 'it' : 'them'} from
            the selection.
          </Text>
        </Alert>
      )}
      {areLines && chosen.error && <Failure error={chosen.error} onRetry={() => void chosen.refetch()} />}
      {areLines && agents.length > 0 && chosen.isPending && <Loading what="access points" />}
      {subjects.length > 0 && (
        <CompareCharts
          key={`${mode} ${isOfTechnology} ${isGroup}`}
          heading={isOfTechnology ? 'Technology' : isGroup ? 'Group' : 'Access point'}
          subjects={subjects}
          metrics={shown}
          range={range}
          second={second}
          isElapsed={mode === 'periods'}
          hidden={hidden}
          onHide={(keys) => change({ hidden: keys })}
          onRange={(to, start) => change({ second: start }, to)}
        />
      )}
    </Stack>
  )
}

/** Moves with the clock while the range is live. */
function Periods({
  range,
  second,
  onChange,
}: {
  range: TimeRange
  second: Comparison['second']
  onChange: (second: Comparison['second']) => void
}) {
  const now = useNow()
  const first = periodOf(range, Math.floor(now / 1000) * 1000)
  return <SecondPeriod first={first} second={second} onChange={onChange} />
}
