import type { Job, JobKind } from '@manc/sdk'
import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlayerStop, IconRepeat } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { StopEmulation } from '../emulate/stop-emulation.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { bulkCommandHash } from './bulk-command-hash.ts'
import { isEnded } from './job-texts.ts'
import { listSearch } from './jobs-search.ts'

/** What is lost, by the kind of the job. Other kinds cannot be cancelled. */
const cancelTexts: Partial<Record<JobKind, string>> = {
  send_command: 'If it was sent already, the access point may still carry it out.',
  send_commands:
    'Access points that have received the command carry it out. For all others it is cancelled; one that was sent already may still be carried out.',
  agent_data: 'The rest of the result is not delivered.',
  agent_details: 'The rest of the result is not delivered.',
}

/** Cancel, and repeat with changes. */
export function JobActions({ job }: { job: Job }) {
  const me = useCurrentUser()
  const search = listSearch(useSearch({ from: '/inside/jobs' }))
  const [isAsking, question] = useDisclosure()
  const isCommand = job.kind === 'send_command' || job.kind === 'send_commands'
  const cancelText = cancelTexts[job.kind]
  return (
    <Group gap="sm">
      {isCommand && me.isOperator && (
        <Button
          renderRoot={(props) => (
            <Link
              to="/jobs"
              search={{ ...search, repeat: job.job_number }}
              hash={bulkCommandHash}
              {...props}
            />
          )}
          size="xs"
          variant="default"
          leftSection={<IconRepeat size={14} />}
        >
          Repeat with changes
        </Button>
      )}
      {job.kind === 'emulator_spinup' && !isEnded(job) && (
        <StopEmulation jobNumber={job.job_number} name="the emulation" />
      )}
      {cancelText && !isEnded(job) && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerStop size={14} />}
          onClick={question.open}
        >
          Cancel job
        </Button>
      )}
      {isAsking && <CancelDialog job={job} text={cancelText ?? ''} onClose={question.close} />}
    </Group>
  )
}

function CancelDialog({ job, text, onClose }: { job: Job; text: string; onClose: () => void }) {
  const manc = useManc()
  const queries = useQueryClient()
  const cancel = async () => {
    const { detail } = await manc.jobs.cancel(job.job_number)
    await queries.invalidateQueries({ queryKey: ['job', job.job_number] })
    notifications.show({ message: detail })
    onClose()
  }
  return (
    <ConfirmDialog
      title={`Cancel ${job.title}?`}
      confirmLabel="Cancel job"
      cancelLabel="Keep running"
      onConfirm={cancel}
      onCancel={onClose}
    >
      {text}
    </ConfirmDialog>
  )
}
