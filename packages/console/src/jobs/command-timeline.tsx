import type { CommandNews, Job, JobState } from '@manc/sdk'
import { Code, Stack, Text, Timeline } from '@mantine/core'
import { ReportedResult, SteeringResult } from '../commands/command-result.tsx'
import { Timestamp } from '../format/timestamp.tsx'
import type { Reading } from './job-readers.ts'
import { commandStateTexts, isFailure, stateLabels, statesUpTo } from './job-texts.ts'
import { StateIcon } from './state-icon.tsx'

/** The states of a command with explanations, and its result. */
export function CommandTimeline({ job, reading }: { job: Job; reading: Reading | undefined }) {
  const updates = reading?.updates ?? []
  const state = updates.at(-1)?.update.state ?? job.state
  const path = statesUpTo(
    state,
    updates.map(({ update }) => update.state),
  )
  const last = reading?.rows.at(-1) as CommandNews | undefined
  return (
    <Stack gap="md">
      <div>
        {last && (
          <Text size="sm">
            <Code>{last.command}</Code> to {last.agent_id}
          </Text>
        )}
        <SteeringResult result={last?.result} />
      </div>
      <Timeline
        active={path.length - 1}
        bulletSize={26}
        lineWidth={2}
        color={isFailure(state) ? 'red' : 'brand'}
      >
        {path.map((each) => (
          <Timeline.Item key={each} title={stateLabels[each]} bullet={<StateIcon state={each} size={15} />}>
            <Text size="sm" c="dimmed">
              {commandStateTexts[each]}
              <ReceivedAt ms={timeOf(each, reading)} />
            </Text>
            {each === state && (last?.detail ?? job.detail) && (
              <Text size="sm">{last?.detail ?? job.detail}</Text>
            )}
          </Timeline.Item>
        ))}
      </Timeline>
      <ReportedResult result={last?.result} />
    </Stack>
  )
}

function ReceivedAt({ ms }: { ms: number | undefined }) {
  if (ms === undefined) return null
  return (
    <>
      {' '}
      Received at <Timestamp ms={ms} />.
    </>
  )
}

const timeOf = (state: JobState, reading: Reading | undefined): number | undefined =>
  reading?.updates.find(({ update }) => update.state === state)?.atMs
