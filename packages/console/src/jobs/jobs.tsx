import './jobs.css'
import type { Job, JobKind, JobState } from '@manc/sdk'
import { Box, Button, Center, Drawer, Group, MultiSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { formatCount } from '../format/number.ts'
import { Age, Empty, Failure, Loading } from '../ui/states.tsx'
import { BulkCommand } from './bulk-command.tsx'
import { JobList } from './job-list.tsx'
import { kindLabels, stateLabels } from './job-texts.ts'
import { JobView } from './job-view.tsx'
import { useJobs } from './use-jobs.ts'

const aPage = 50
/** In the address instead of the number of a job. */
const sending = 'send'

/** What did I ask for, and what has become of it? */
export function Jobs() {
  const [most, setMost] = useState(aPage)
  const filter = useFilter()
  const jobs = useJobs(most, filter.wanted)
  const me = useCurrentUser()
  const navigate = useNavigate()
  const open = useLocation().hash
  const close = () => void navigate({ to: '/jobs' })
  const shown = jobs.data?.slice(0, most) ?? []
  const hasMore = (jobs.data?.length ?? 0) > most
  const openJob = shown.find(({ job_number: number }) => number === open)
  return (
    <Box p="lg" maw={1280}>
      <Stack gap="lg">
        <Group justify="space-between">
          <Title order={1} size="h4">
            Jobs and commands
          </Title>
          <Group gap="lg">
            <Age at={jobs.dataUpdatedAt} />
            {me.isOperator && (
              <Button
                component={Link}
                to="/jobs"
                hash={sending}
                size="xs"
                leftSection={<IconSend size={14} />}
              >
                Send bulk command
              </Button>
            )}
          </Group>
        </Group>
        <Filter {...filter} />
        {jobs.isPending && <Loading what="jobs" />}
        {jobs.isError && !jobs.data && <Failure error={jobs.error} onRetry={() => void jobs.refetch()} />}
        {jobs.data && <Listed shown={shown} open={open} isFiltered={filter.isOn} />}
        {hasMore && (
          <Center>
            <Button variant="default" size="xs" onClick={() => setMost((n) => n + aPage)}>
              Show earlier jobs
            </Button>
          </Center>
        )}
      </Stack>
      <Drawer
        opened={open !== '' && (open !== sending || me.isOperator)}
        onClose={close}
        position="right"
        size="min(900px, 100%)"
        // What was typed is not lost by a slip, nor by an Escape that was meant for the question.
        closeOnEscape={open !== sending}
        closeOnClickOutside={open !== sending}
        title={
          <Text fw={600} size="lg" component="span">
            {open === sending ? 'Send bulk command' : openJob ? kindLabels[openJob.kind] : 'Job'}
          </Text>
        }
      >
        {open === sending ? (
          <BulkCommand onSent={(number) => void navigate({ to: '/jobs', hash: number })} />
        ) : (
          open !== '' && <JobView key={open} jobNumber={open} />
        )}
      </Drawer>
    </Box>
  )
}

interface ListedProps {
  shown: readonly Job[]
  open: string
  isFiltered: boolean
}

function Listed({ shown, open, isFiltered }: ListedProps) {
  if (shown.length === 0)
    return isFiltered ? (
      <Empty title="No matches">Remove a filter.</Empty>
    ) : (
      <Empty title="No jobs yet">
        Emulations, commands and data requests from the console and from your applications are listed here.
      </Empty>
    )
  return (
    <Stack gap="sm">
      <Text size="xs" c="dimmed" role="status" className="figures">
        {formatCount(shown.length, 'job')}, newest first
      </Text>
      <Paper withBorder style={{ overflow: 'hidden' }}>
        <JobList jobs={shown} openNumber={open} />
      </Paper>
    </Stack>
  )
}

function useFilter() {
  const [kinds, setKinds] = useState<JobKind[]>([])
  const [states, setStates] = useState<JobState[]>([])
  const wanted = { kind: kinds.length === 0 ? askedFor : kinds, state: states }
  return { kinds, setKinds, states, setStates, wanted, isOn: kinds.length + states.length > 0 }
}

const allKinds = Object.keys(kindLabels) as JobKind[]
/** Every look at an access point is a live view: they would hide what somebody asked for. */
const askedFor = allKinds.filter((kind) => kind !== 'agent_live')
const kindChoices = allKinds.map((value) => ({ value, label: kindLabels[value] }))
const stateChoices = (Object.keys(stateLabels) as JobState[]).map((value) => ({
  value,
  label: stateLabels[value],
}))

function Filter({ kinds, setKinds, states, setStates }: ReturnType<typeof useFilter>) {
  return (
    <Group gap="md" align="flex-start">
      <MultiSelect
        aria-label="Types"
        placeholder={kinds.length === 0 ? 'All types except live views' : ''}
        data={kindChoices}
        value={kinds}
        onChange={setKinds}
        clearable
        w={300}
        maw="100%"
      />
      <MultiSelect
        aria-label="States"
        placeholder={states.length === 0 ? 'All states' : ''}
        data={stateChoices}
        value={states}
        onChange={setStates}
        clearable
        w={300}
        maw="100%"
      />
    </Group>
  )
}
