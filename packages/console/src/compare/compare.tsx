import { Alert, Group, SegmentedControl, Select, Stack, Text, Title } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { commonMetrics, metricOfKpi } from '../telemetry/metrics.ts'
import { WindowPicker } from '../telemetry/window-picker.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { CompareCharts } from './compare-charts.tsx'
import { ComparePicker } from './compare-picker.tsx'
import { type Comparison, fromSearch, toSearch } from './compare-search.ts'
import { useChosenAgents, useTechnologies } from './compare-subjects.ts'

const metrics = commonMetrics.map(metricOfKpi)

/** Compares access points or technologies by common metrics. */
export function Compare() {
  const navigate = useNavigate()
  const comparison = fromSearch({ ...useSearch({ from: '/inside/compare' }) })
  const { mode, agents, metric, windowS } = comparison
  const change = (news: Partial<Comparison>) =>
    void navigate({ to: '/compare', search: toSearch({ ...comparison, ...news }), replace: true })
  const chosen = useChosenAgents(agents)
  const technologies = useTechnologies(mode === 'technologies')
  const { data, error, isPending, refetch } = mode === 'agents' ? chosen : technologies
  const shown = useMemo(() => (metric ? metrics.filter(({ name }) => name === metric) : metrics), [metric])
  return (
    <Stack gap="md" px="lg" py="md">
      <Group justify="space-between" gap="sm">
        <Title order={1} size="h4">
          Compare
        </Title>
        <Group gap="sm">
          <SegmentedControl
            size="xs"
            aria-label="Compare by"
            value={mode}
            onChange={(value) => change({ mode: value })}
            data={[
              { value: 'agents', label: 'Access points' },
              { value: 'technologies', label: 'By technology' },
            ]}
          />
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
          <WindowPicker value={windowS} onChange={(seconds) => change({ windowS: seconds })} />
        </Group>
      </Group>
      {mode === 'agents' && <ComparePicker chosen={agents} onChange={(apIds) => change({ agents: apIds })} />}
      {mode === 'agents' && agents.length === 0 && (
        <Empty title="No access points selected">
          Select two or more access points above, or compare by technology. The page address contains the
          selection: copy it to share this comparison.
        </Empty>
      )}
      {data && data.missing.length > 0 && (
        <Alert color="gray">
          <Text size="sm">
            Not found: {data.missing.join(', ')}. Remove {data.missing.length === 1 ? 'it' : 'them'} from the
            selection.
          </Text>
        </Alert>
      )}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && (mode === 'technologies' || agents.length > 0) && <Loading what="access points" />}
      {data?.subjects.length === 0 && mode === 'technologies' && (
        <Empty title="No access points online">The comparison starts when an access point is online.</Empty>
      )}
      {data && data.subjects.length > 0 && (
        <CompareCharts
          key={mode}
          heading={mode === 'agents' ? 'Access point' : 'Technology'}
          subjects={data.subjects}
          metrics={shown}
          windowS={windowS}
        />
      )}
    </Stack>
  )
}
