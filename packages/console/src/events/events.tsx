import type { EventKind } from '@manc/sdk'
import { Box, Group, SegmentedControl, Select, Stack, Title } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { RangePicker } from '../range/range-picker.tsx'
import { useTimeRange } from '../range/use-time-range.ts'
import { EventList } from './event-list.tsx'
import { type EventsSearch, kindLabels, severitiesFrom, severityLabels } from './events-search.ts'

const kinds = Object.entries(kindLabels).map(([value, label]) => ({ value: value as EventKind, label }))
const severities = (Object.keys(severityLabels) as (keyof typeof severityLabels)[]).map((value) => ({
  value,
  label: severityLabels[value],
}))

/** What happened in the network. */
export function Events() {
  const { kind, severity } = useSearch({ from: '/inside/events' })
  const navigate = useNavigate()
  const range = useTimeRange(undefined)
  const search = (changes: { [Name in keyof EventsSearch]: EventsSearch[Name] | undefined }) =>
    void navigate({
      to: '/events',
      // Without the parameters that have no value.
      search: (before) => JSON.parse(JSON.stringify({ ...before, ...changes })) as EventsSearch,
      replace: true,
    })
  return (
    <Box p="lg" maw={1280}>
      <Stack gap="lg">
        <Group justify="space-between" gap="sm">
          <Title order={1} size="h4">
            Events
          </Title>
          <RangePicker {...range} anyTime="Any time" />
        </Group>
        <Group gap="md" align="flex-end">
          <Select
            label="Kind"
            placeholder="Any kind"
            clearable
            data={kinds}
            value={kind ?? null}
            onChange={(value) => search({ kind: value ?? undefined })}
          />
          <SegmentedControl
            aria-label="Minimum severity"
            value={severity ?? 'info'}
            onChange={(value) => search({ severity: value === 'info' ? undefined : value })}
            data={severities}
          />
        </Group>
        <EventList
          range={range.range}
          filter={{ ...(kind && { kind: [kind] }), ...(severity && { severity: severitiesFrom(severity) }) }}
        />
      </Stack>
    </Box>
  )
}
