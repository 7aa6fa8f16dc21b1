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
      {results.missing > 0 && (
        <Alert color="gray" title="Part of the result was not kept">
          {formatCount(results.missing, 'message')} delivered before {results.missing === 1 ? 'is' : 'are'} no
          longer available: only the newest results are kept. Repeat the request to get the whole result.
        </Alert>
      )}
      {isEnded(job) && job.last_seq > job.read_seq && job.kind !== 'send_command' && (
        <Undelivered job={job} />
      )}
      {results.expiresAt !== undefined && (
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
