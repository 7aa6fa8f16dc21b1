import type { Job } from '@manc/sdk'
import { Alert, Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import { useManc } from '../app/session.tsx'
import { StopEmulation } from '../emulate/stop-emulation.tsx'
import { formatAge, formatDateTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { Empty, Failure, Loading, useNow } from '../ui/states.tsx'
import { BulkProgress } from './bulk-progress.tsx'
import { CommandTimeline } from './command-timeline.tsx'
import { formatRunTime } from './job-list.tsx'
import { type Reading, startReading, stopReading, useReading } from './job-readers.ts'
import { isEnded } from './job-texts.ts'
import { ResultView } from './result-view.tsx'
import { StateLabel } from './state-icon.tsx'
import { useJob } from './use-jobs.ts'

/** The state and the result of one job. */
export function JobView({ jobNumber }: { jobNumber: string }) {
  const { data: job, error, refetch } = useJob(jobNumber)
  const reading = useReading(jobNumber)
  if (!job && error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!job) return <Loading what="job" />
  return (
    <Stack gap="lg">
      <Facts job={job} />
      {job.kind === 'send_command' && <CommandTimeline job={job} reading={reading} />}
      {job.kind === 'send_commands' && <BulkProgress job={job} reading={reading} />}
      {job.kind !== 'send_command' && job.detail && (
        <Alert
          color={job.state === 'failed' ? 'red' : 'gray'}
          title={job.state === 'failed' ? 'Job failed' : undefined}
        >
          {job.detail}
        </Alert>
      )}
      {job.kind === 'emulator_spinup' && !isEnded(job) && (
        <Group>
          <StopEmulation jobNumber={jobNumber} name="the emulation" />
        </Group>
      )}
      <ReaderControls job={job} reading={reading} />
      {reading && <ResultView reading={reading} name={`${job.kind}-${jobNumber.slice(0, 8)}`} />}
    </Stack>
  )
}

function Facts({ job }: { job: Job }) {
  const now = useNow()
  const createdMs = Date.parse(job.created_at)
  return (
    <Stack gap={4}>
      <Group gap="lg">
        <StateLabel state={job.state} />
        <Text size="sm" c="dimmed" className="figures">
          created <Timestamp ms={createdMs} format={formatDateTime} />
        </Text>
        <Text size="sm" c="dimmed" className="figures">
          {job.ended_at ? `took ${formatRunTime(job)}` : `${formatAge(now - createdMs)} elapsed`}
        </Text>
      </Group>
      <Group gap="sm">
        <Text size="xs" c="dimmed" className="figures">
          {job.job_number}
        </Text>
        <CopyButton value={job.job_number}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy job ID'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  )
}

/** Starts and stops reading the messages of the job. */
function ReaderControls({ job, reading }: { job: Job; reading: Reading | undefined }) {
  const manc = useManc()
  const follow = () => startReading(manc, job.job_number, job.read_seq)
  if (reading?.state === 'reading')
    return (
      <Group gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {job.ended_at ? 'Reading…' : 'New messages appear here.'}
        </Text>
        {!isEnded(job) && (
          <Button size="compact-xs" variant="default" onClick={() => stopReading(job.job_number)}>
            Stop following
          </Button>
        )}
      </Group>
    )
  if (reading?.state === 'stopped')
    return (
      <Alert color="gray" title="No longer following">
        <Stack gap="sm" align="flex-start">
          {reading.problem && <Text size="sm">{reading.problem}</Text>}
          <Button size="xs" variant="default" onClick={follow}>
            Follow again
          </Button>
        </Stack>
      </Alert>
    )
  if (reading) return null
  if (!isEnded(job))
    return (
      <Alert color="gray" title="Follow this job?">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">
            A job has one reader at a time. If an application or another page is reading it, new messages are
            delivered here instead.
          </Text>
          <Button size="xs" onClick={follow}>
            Follow job
          </Button>
        </Stack>
      </Alert>
    )
  if (job.last_seq > job.read_seq)
    return (
      <Alert color="gray" title="Read the result here?">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">
            A result can be read once. If an application needs it, do not read it here. Otherwise read it, and
            save it before you close the console.
          </Text>
          <Button size="xs" onClick={follow}>
            Read result
          </Button>
        </Stack>
      </Alert>
    )
  // The state is the whole result of a command.
  if (job.kind === 'send_command') return null
  return (
    <Empty title="Result already read">
      A result can be read once. Repeat the request to get a new result.
    </Empty>
  )
}
