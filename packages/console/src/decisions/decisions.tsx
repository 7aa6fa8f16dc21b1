import '../ui/record-list.css'
import type { DecisionState } from '@manc/sdk'
import { Box, Button, Center, Group, Paper, Select, Stack, Text, Title } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { formatCount } from '../format/number.ts'
import { RangePicker } from '../range/range-picker.tsx'
import type { TimeRange } from '../range/time-range.ts'
import { useTimeRange } from '../range/use-time-range.ts'
import { AppliedField } from '../ui/applied-field.tsx'
import { Empty, Failure, Loading, useNow } from '../ui/states.tsx'
import { DecisionRow } from './decision-row.tsx'
import { type DecisionsSearch, stateLabels } from './decisions-search.ts'
import { ExportDecisions } from './export-decisions.tsx'
import { useDecisions } from './use-decisions.ts'

const pageSize = 25
const states = Object.entries(stateLabels).map(([value, label]) => ({ value: value as DecisionState, label }))

/** What applications decide, why, and what came of it. */
export function Decisions() {
  const me = useCurrentUser()
  const chosen = useSearch({ from: '/inside/decisions' })
  const navigate = useNavigate()
  const range = useTimeRange(undefined)
  const search = (changes: { [Name in keyof DecisionsSearch]: DecisionsSearch[Name] | undefined }) =>
    void navigate({
      to: '/decisions',
      // Without the parameters that have no value.
      search: (before) => JSON.parse(JSON.stringify({ ...before, ...changes })) as DecisionsSearch,
      replace: true,
    })
  if (!me.isPending && !me.isOperator)
    return <Empty title="Only for operators">Decisions show the commands of applications.</Empty>
  return (
    <Box p="lg" maw={1080}>
      <Stack gap="lg">
        <Group justify="space-between" gap="sm">
          <div>
            <Title order={1} size="h4">
              Decisions
            </Title>
            <Text c="dimmed" size="sm">
              What applications propose and do, the expected effect, and what the controller has measured.
            </Text>
          </div>
          <Group gap="sm">
            <RangePicker {...range} anyTime="Any time" />
            <ExportDecisions search={chosen} range={range.range} />
          </Group>
        </Group>
        <Group gap="md" align="flex-end">
          <Select
            label="State"
            placeholder="Any state"
            clearable
            data={states}
            value={chosen.state ?? null}
            onChange={(state) => search({ state: state ?? undefined })}
          />
          <AppliedField
            label="Application"
            placeholder="Any application"
            value={chosen.owner}
            onChange={(owner) => search({ owner })}
          />
          <AppliedField
            label="Access point"
            placeholder="Any access point"
            value={chosen.ap}
            onChange={(ap) => search({ ap })}
          />
        </Group>
        <Matching search={chosen} range={range.range} />
      </Stack>
    </Box>
  )
}

function Matching({ search, range }: { search: DecisionsSearch; range: TimeRange | undefined }) {
  const now = useNow()
  const [limit, setLimit] = useState(pageSize)
  const decisions = useDecisions(limit, search, range)
  if (decisions.isPending) return <Loading what="decisions" />
  if (decisions.isError && !decisions.data)
    return <Failure error={decisions.error} onRetry={() => void decisions.refetch()} />
  const shown = decisions.data.slice(0, limit)
  if (shown.length === 0)
    return (
      <Empty title="No decisions">
        {range || Object.keys(search).length > 0
          ? 'No decision matches. Remove a filter, or select a longer time range.'
          : 'Applications record here what they decide. Start one, for example the advisor.'}
      </Empty>
    )
  return (
    <Stack gap="md">
      {decisions.isError && <Failure error={decisions.error} onRetry={() => void decisions.refetch()} />}
      <Paper withBorder role="list" aria-label="Decisions, newest first">
        {shown.map((decision) => (
          <div key={decision.id} role="listitem" className="entry">
            <DecisionRow decision={decision} nowMs={now} />
          </div>
        ))}
      </Paper>
      <Center>
        {decisions.data.length > limit ? (
          <Button
            variant="default"
            loading={decisions.isPlaceholderData}
            onClick={() => setLimit(limit + 4 * pageSize)}
          >
            Show older decisions
          </Button>
        ) : (
          <Text size="xs" c="dimmed" className="figures">
            {formatCount(shown.length, 'decision')}
          </Text>
        )}
      </Center>
    </Stack>
  )
}
