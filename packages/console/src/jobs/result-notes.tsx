import type { Job } from '@manc/sdk'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { useManc } from '../app/session.tsx'
import { formatCount } from '../format/number.ts'
import { formatRecentTime } from '../format/time.ts'
import { startReading, useReading } from './job-readers.ts'
import { isEnded } from './job-texts.ts'
import type { Results } from './use-results.ts'

/** How long the result is available, whether parts of it are missing, and whether an application can still receive it. */
export function ResultNotes({ job, results }: { job: Job; results: Results | undefined }) {
  if (!results) return null
  return (
    <>
      {results.isExpired && (
        <Alert color="gray" title="The result is no longer kept">
          {job.kind === 'send_commands'
            ? 'It was deleted after its retention time. The outcome at each access point is still available, without the reports of the agents.'
            : 'It was deleted after its retention time. Repeat the request to get a new one.'}
        </Alert>
      )}
      {results.missing > 0 && !results.isExpired && (
        <Alert color="gray" title="Part of the result was not kept">
          {formatCount(results.missing, 'message')} {results.missing === 1 ? 'is' : 'are'} no longer
          available: results are kept for a limited time, and only the newest of those that were delivered.
          Repeat the request to get the whole result.
        </Alert>
      )}
      {isEnded(job) && !results.isExpired && job.last_seq > job.read_seq && job.kind !== 'send_command' && (
        <Undelivered job={job} />
      )}
      {results.expiresAt !== undefined && !results.isExpired && (
        <Text size="xs" c="dimmed" className="figures">
          Available until {formatRecentTime(Date.parse(results.expiresAt))}
        </Text>
      )}
    </>
  )
}

/** Undelivered results count against a limit of the caller. */
function Undelivered({ job }: { job: Job }) {
  const manc = useManc()
  const isBusy = useReading(job.job_number)?.state === 'reading'
  return (
    <Alert color="gray" title="Not delivered yet">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          An application can still receive this result. Undelivered results count against your limit of open
          jobs.
        </Text>
        <Button
          size="xs"
          variant="default"
          loading={isBusy}
          onClick={() => startReading(manc, job.job_number, job.read_seq)}
        >
          Mark as delivered
        </Button>
      </Stack>
    </Alert>
  )
}
