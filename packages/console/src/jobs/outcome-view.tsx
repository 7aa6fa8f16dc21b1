import type { CommandOutcome, Job, JobState } from '@manc/sdk'
import { Button, Chip, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useManc } from '../app/session.tsx'
import { formatCount, formatNumber } from '../format/number.ts'
import { saveFile } from '../ui/save-file.ts'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { stateLabels } from './job-texts.ts'
import type { JobsSearch } from './jobs-search.ts'
import { OutcomeTable } from './outcome-table.tsx'
import {
  type Outcome,
  outcomeOf,
  outcomeOfPart,
  outcomeRows,
  partsIntervalMs,
  shownOutcomes,
} from './outcomes.ts'
import { csvOf } from './results.ts'
import type { Results } from './use-results.ts'

/** The outcome at each access point, also while the job is in progress. Filter and order are in the address. */
export function OutcomeView({ job, results }: { job: Job; results: Results | undefined }) {
  const { outcome, find = '', sort = 'ap' } = useSearch({ from: '/inside/jobs' })
  const change = useOutcomeSearch(job.job_number)
  const { outcomes, error, refetch } = useOutcomes(job, results)
  const counts = useMemo(() => countsOf(outcomes ?? []), [outcomes])
  const shown = useMemo(
    () => shownOutcomes(outcomes ?? [], { outcome, find, sort }),
    [outcomes, outcome, find, sort],
  )
  if (!outcomes) return error ? <Failure error={error} onRetry={refetch} /> : <Loading what="outcomes" />
  const save = async () => {
    const rows = outcomeRows(shown)
    saveFile(`outcomes-${job.job_number.slice(0, 8)}.csv`, await csvOf(rows, Object.keys(rows[0] ?? {})))
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm" align="flex-end">
        <TextInput
          label="Find"
          placeholder="Access point or reason"
          value={find}
          maxLength={200}
          onChange={({ currentTarget }) => change({ find: currentTarget.value || undefined })}
          w={260}
          maw="100%"
        />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          disabled={shown.length === 0}
          onClick={() => void save()}
        >
          Save CSV
        </Button>
      </Group>
      {counts.length > 1 && (
        <Chip.Group
          value={outcome ?? ''}
          onChange={(value) => change({ outcome: value === '' ? undefined : value })}
        >
          <Group gap={6} role="group" aria-label="Filter by outcome">
            <Chip size="xs" variant="outline" value="">
              all
            </Chip>
            {counts.map(([state, count]) => (
              <Chip key={state} size="xs" variant="outline" value={state}>
                {stateLabels[state]} {formatNumber(count)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      )}
      <Text size="sm" role="status" className="figures">
        {formatCount(shown.length, 'access point')}
      </Text>
      {shown.length === 0 ? (
        <Empty title="No matches">Remove a filter.</Empty>
      ) : (
        <OutcomeTable outcomes={shown} sort={sort} onSort={(next) => change({ sort: next })} />
      )}
    </Stack>
  )
}

interface Parts {
  /** The counts by state when they were read. */
  progress: string
  outcomes: Outcome[]
}

/** From the result, which also has the reports of the agents; from the parts while there is none, or if it was not kept. */
function useOutcomes(job: Job, results: Results | undefined) {
  const manc = useManc()
  const queries = useQueryClient()
  const isComplete = results?.state === 'complete' && results.missing === 0
  const hasNoMore = results && (results.isExpired || results.lastSeq >= job.last_seq)
  const ofResult = useMemo(
    () => (isComplete ? (results.rows as CommandOutcome[]).map(outcomeOf) : undefined),
    [isComplete, results],
  )
  const key = ['job-parts', job.job_number]
  const progress = JSON.stringify([job.progress, job.ended_at])
  const { data, error, refetch } = useQuery({
    queryKey: key,
    enabled: !isComplete && (job.ended_at === null || hasNoMore === true),
    queryFn: async ({ signal }): Promise<Parts> => {
      const before = queries.getQueryData<Parts>(key)
      if (before?.progress === progress) return before
      const parts = await Array.fromAsync(manc.jobs.list({ parent: job.job_number, signal }))
      return { progress, outcomes: parts.map(outcomeOfPart) }
    },
    refetchInterval: ({ state }) =>
      job.ended_at === null
        ? partsIntervalMs(job.progress)
        : state.data?.progress !== progress && partsIntervalMs(null),
  })
  return { outcomes: ofResult ?? data?.outcomes, error, refetch: () => void refetch() }
}

function countsOf(outcomes: readonly Outcome[]): [JobState, number][] {
  const counts = new Map<JobState, number>()
  for (const { state } of outcomes) counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => a.localeCompare(b))
}

function useOutcomeSearch(jobNumber: string) {
  const navigate = useNavigate()
  return (changes: { [Name in keyof JobsSearch]: JobsSearch[Name] | undefined }) =>
    void navigate({
      to: '/jobs',
      // Without the parameters that have no value.
      search: (before) => JSON.parse(JSON.stringify({ ...before, ...changes })) as JobsSearch,
      hash: jobNumber,
      replace: true,
    })
}
