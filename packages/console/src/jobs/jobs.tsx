import './jobs.css'
import type { Job, JobKind, JobState } from '@manc/sdk'
import { Box, Button, Center, Drawer, Group, MultiSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../frame/me.ts'
import { Age, Empty, Failure, Loading } from '../frame/states.tsx'
import { JobList } from './job-list.tsx'
import { JobView } from './job-view.tsx'
import { SendToMany } from './send-to-many.tsx'
import { useJobs } from './use-jobs.ts'
import { kindWords, stateWords } from './words.ts'

const aPage = 50
/** In the address instead of the number of a job. */
const sending = 'send'

/** What did I ask for, and what has become of it? */
export function Jobs() {
  const [most, setMost] = useState(aPage)
  const jobs = useJobs(most)
  const me = useMe()
  const navigate = useNavigate()
  const open = useLocation().hash
  const filter = useFilter()
  const close = () => void navigate({ to: '/jobs' })
  const all = jobs.data?.slice(0, most) ?? []
  const shown = all.filter(filter.fits)
  const hasMore = (jobs.data?.length ?? 0) > most
  const openJob = all.find(({ job_number: number }) => number === open)
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
                Send a command to many
              </Button>
            )}
          </Group>
        </Group>
        <Filter {...filter} />
        {jobs.isPending && <Loading what="your jobs" />}
        {jobs.isError && !jobs.data && <Failure error={jobs.error} onRetry={() => void jobs.refetch()} />}
        {jobs.data && <Listed shown={shown} all={all} open={open} hasMore={hasMore} />}
        {hasMore && (
          <Center>
            <Button variant="default" size="xs" onClick={() => setMost((n) => n + aPage)}>
              Show earlier ones
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
            {open === sending ? 'Send a command to many' : openJob ? kindWords[openJob.kind] : 'Job'}
          </Text>
        }
      >
        {open === sending ? (
          <SendToMany onSent={(number) => void navigate({ to: '/jobs', hash: number })} />
        ) : (
          open !== '' && <JobView key={open} jobNumber={open} />
        )}
      </Drawer>
    </Box>
  )
}

interface ListedProps {
  shown: readonly Job[]
  all: readonly Job[]
  open: string
  hasMore: boolean
}

function Listed({ shown, all, open, hasMore }: ListedProps) {
  if (all.length === 0)
    return (
      <Empty title="You have asked for nothing yet">
        Emulations, commands, long answers and live views show up here, from the console and from your
        programs.
      </Empty>
    )
  if (shown.length === 0)
    return (
      <Empty title={hasMore ? `None of the newest ${all.length} fits` : 'None fits'}>
        Take a filter away{hasMore && ', or show earlier ones'}.
      </Empty>
    )
  return (
    <Stack gap="sm">
      <Text size="xs" c="dimmed" role="status" className="figures">
        {shown.length.toLocaleString()} {shown.length === 1 ? 'job' : 'jobs'}, the newest first
      </Text>
      <Paper withBorder style={{ overflow: 'hidden' }}>
        <JobList jobs={shown} openNumber={open} />
      </Paper>
    </Stack>
  )
}

function useFilter() {
  const [kinds, setKinds] = useState<string[]>([])
  const [states, setStates] = useState<string[]>([])
  const fits = ({ kind, state }: Job) =>
    (kinds.length === 0 || kinds.includes(kind)) && (states.length === 0 || states.includes(state))
  return { kinds, setKinds, states, setStates, fits }
}

const kindChoices = (Object.keys(kindWords) as JobKind[]).map((value) => ({ value, label: kindWords[value] }))
const stateChoices = (Object.keys(stateWords) as JobState[]).map((value) => ({
  value,
  label: stateWords[value],
}))

function Filter({ kinds, setKinds, states, setStates }: ReturnType<typeof useFilter>) {
  return (
    <Group gap="md" align="flex-start">
      <MultiSelect
        aria-label="Kinds"
        placeholder={kinds.length === 0 ? 'Any kind' : ''}
        data={kindChoices}
        value={kinds}
        onChange={setKinds}
        clearable
        w={300}
        maw="100%"
      />
      <MultiSelect
        aria-label="States"
        placeholder={states.length === 0 ? 'Any state' : ''}
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
