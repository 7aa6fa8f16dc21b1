import type { Job, JobState } from '@manc/sdk'
import { Group, Progress, Stack, Text } from '@mantine/core'
import { formatNumber } from '../format/number.ts'
import type { Reading } from './job-readers.ts'
import { endStates, isFailure, stateLabels } from './job-texts.ts'
import { StateIcon } from './state-icon.tsx'

const order: readonly JobState[] = [
  'succeeded',
  'failed',
  'timed_out',
  'expired',
  'superseded',
  'skipped',
  'delivered',
  'sent',
  'queued',
]

/** Counts by state, and a bar that fills as commands end. */
export function BulkProgress({ job, reading }: { job: Job; reading: Reading | undefined }) {
  const reported = reading?.updates.findLast(({ update }) => update.progress)?.update.progress
  const progress = job.ended_at ? (job.progress ?? reported) : (reported ?? job.progress)
  if (!progress) return null
  const states = order.filter((state) => (progress[state] ?? 0) > 0)
  const total = states.reduce((sum, state) => sum + (progress[state] ?? 0), 0)
  const ended = endStates.reduce((sum, state) => sum + (progress[state] ?? 0), 0)
  return (
    <Stack gap="sm">
      <Text size="sm" className="figures" role="status">
        {formatNumber(ended)} of {formatNumber(total)} done
      </Text>
      <Progress.Root size={10} aria-label="Progress by state">
        {states.map((state) => (
          <Progress.Section
            key={state}
            value={((progress[state] ?? 0) / total) * 100}
            color={colourOf(state)}
            aria-label={`${stateLabels[state]}: ${progress[state]} of ${total}`}
          />
        ))}
      </Progress.Root>
      <Group gap="lg">
        {states.map((state) => (
          <Text
            key={state}
            size="sm"
            component="span"
            {...(isFailure(state) && { c: 'var(--mantine-color-error)' })}
          >
            <Group gap={6} wrap="nowrap" component="span" className="figures">
              <StateIcon state={state} size={16} />
              {formatNumber(progress[state] ?? 0)} {stateLabels[state]}
            </Group>
          </Text>
        ))}
      </Group>
    </Stack>
  )
}

/** The colour of the console, red or grey: other colours are reserved for technologies. */
function colourOf(state: JobState): string {
  if (state === 'succeeded') return 'var(--mantine-primary-color-filled)'
  if (isFailure(state)) return 'var(--mantine-color-error)'
  return endStates.includes(state as (typeof endStates)[number])
    ? 'var(--mantine-color-gray-5)'
    : 'var(--mantine-color-default-border)'
}
