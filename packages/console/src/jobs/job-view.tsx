import type { Job } from '@manc/sdk'
import { Alert, Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import { useManc } from '../app/session.tsx'
import { formatAge, formatDateTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { Failure, Loading, useNow } from '../ui/states.tsx'
import { BulkProgress } from './bulk-progress.tsx'
import { CommandTimeline } from './command-timeline.tsx'
import { JobActions } from './job-actions.tsx'
import { formatRunTime } from './job-list.tsx'
import { type Reading, startReading, stopReading, useReading } from './job-readers.ts'
import { OutcomeView } from './outcome-view.tsx'
import { ResultNotes } from './result-notes.tsx'
import { ResultView } from './result-view.tsx'
import { StateLabel } from './state-icon.tsx'
import { useJob } from './use-jobs.ts'
import { useResults } from './use-results.ts'

/** The state and the result of one job. */
export function JobView({ jobNumber }: { jobNumber: string }) {
  const { data: job, error, refetch } = useJob(jobNumber)
  const results = useResults(job)
  const live = useReading(jobNumber)
  if (!job && error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!job) return <Loading what="job" />
  const reading = job.kind === 'agent_live' ? live : results.data
  const isFailed = job.state === 'failed' && !job.cancelled
  return (
    <Stack gap="lg">
      <Facts job={job} />
      <JobActions job={job} />
      {job.kind === 'send_command' && <CommandTimeline job={job} reading={reading} />}
      {job.kind === 'send_commands' && <BulkProgress job={job} reading={reading} />}
      {job.kind !== 'send_command' && job.detail && (
        <Alert color={isFailed ? 'red' : 'gray'} title={isFailed ? 'Job failed' : undefined}>
          {job.detail}
        </Alert>
      )}
      {job.kind === 'agent_live' ? (
        <LiveControls job={job} reading={live} />
      ) : (
        <ResultNotes job={job} results={results.data} />
      )}
      {results.error && !results.data && (
        <Failure error={results.error} onRetry={() => void results.refetch()} />
      )}
      {job.kind === 'send_commands' ? (
        <OutcomeView job={job} results={results.data} />
      ) : (
        reading &&
        job.kind !== 'send_command' && (
          <ResultView reading={reading} name={`${job.kind}-${jobNumber.slice(0, 8)}`} />
        )
      )}
    </Stack>
  )
}

function Facts({ job }: { job: Job }) {
  const now = useNow()
  const createdMs = Date.parse(job.created_at)
  return (
    <Stack gap={4}>
      <Group gap="lg">
        <StateLabel state={job.state} isCancelled={job.cancelled} />
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

/** Starts and stops following a live view, whose samples are not stored. */
function LiveControls({ job, reading }: { job: Job; reading: Reading | undefined }) {
  const manc = useManc()
  const follow = () => startReading(manc, job.job_number, job.read_seq)
  if (reading?.state === 'reading')
    return (
      <Group gap="sm">
        <Text size="sm" c="dimmed" role="status">
          New samples appear here.
        </Text>
        <Button size="compact-xs" variant="default" onClick={() => stopReading(job.job_number)}>
          Stop following
        </Button>
      </Group>
    )
  return (
    <Alert color="gray" title={reading ? 'No longer following' : 'Follow this job?'}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {reading?.problem ??
            'A live view has one reader at a time. If an application or another page is reading it, samples are delivered here instead.'}
        </Text>
        <Button size="xs" variant="default" onClick={follow}>
          {reading ? 'Follow again' : 'Follow job'}
        </Button>
      </Stack>
    </Alert>
  )
}
