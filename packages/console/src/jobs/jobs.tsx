import './jobs.css'
import type { Job, JobKind, JobState } from '@manc/sdk'
import { Box, Button, Center, Drawer, Group, MultiSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { formatCount } from '../format/number.ts'
import { Age, Empty, Failure, Loading } from '../ui/states.tsx'
import { BulkCommand } from './bulk-command.tsx'
import { bulkCommandHash } from './bulk-command-hash.ts'
import { JobList } from './job-list.tsx'
import { kindLabels, stateLabels } from './job-texts.ts'
import { JobView } from './job-view.tsx'
import { type JobsSearch, listSearch } from './jobs-search.ts'
import { repeatedCommand } from './repeated-command.ts'
import { useJob, useJobs, useRequest } from './use-jobs.ts'

const pageSize = 50

/** The jobs of the user and their results; bulk commands. */
export function Jobs() {
  const [limit, setLimit] = useState(pageSize)
  const search = useSearch({ from: '/inside/jobs' })
  const filter = useFilter(search)
  const jobs = useJobs(limit, filter.query)
  const me = useCurrentUser()
  const navigate = useNavigate()
  const open = useLocation().hash
  const close = () => void navigate({ to: '/jobs', search: listSearch(search) })
  const shown = jobs.data?.slice(0, limit) ?? []
  const hasMore = (jobs.data?.length ?? 0) > limit
  const title = useTitle(open)
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
                renderRoot={(props) => (
                  <Link to="/jobs" search={listSearch(search)} hash={bulkCommandHash} {...props} />
                )}
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
        {jobs.data && <JobListPanel shown={shown} hasMore={hasMore} open={open} isFiltered={filter.isOn} />}
        {hasMore && (
          <Center>
            <Button variant="default" size="xs" onClick={() => setLimit((n) => n + pageSize)}>
              Show earlier jobs
            </Button>
          </Center>
        )}
      </Stack>
      <Drawer
        opened={open !== '' && (open !== bulkCommandHash || me.isOperator)}
        onClose={close}
        position="right"
        size="min(900px, 100%)"
        // The form is not closed by accident, nor by an Escape meant for the confirmation.
        closeOnEscape={open !== bulkCommandHash}
        closeOnClickOutside={open !== bulkCommandHash}
        title={
          <Text fw={600} size="lg" component="span">
            {title}
          </Text>
        }
      >
        {open === bulkCommandHash ? (
          <BulkCommandPanel
            search={search}
            onSent={(number) => void navigate({ to: '/jobs', search: listSearch(search), hash: number })}
          />
        ) : (
          open !== '' && <JobView key={open} jobNumber={open} />
        )}
      </Drawer>
    </Box>
  )
}

interface JobListPanelProps {
  shown: readonly Job[]
  /** There are earlier ones. */
  hasMore: boolean
  open: string
  isFiltered: boolean
}

function JobListPanel({ shown, hasMore, open, isFiltered }: JobListPanelProps) {
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
        {hasMore
          ? `The newest ${formatCount(shown.length, 'job')}`
          : `${formatCount(shown.length, 'job')}, newest first`}
      </Text>
      <Paper withBorder style={{ overflow: 'hidden' }}>
        <JobList jobs={shown} openNumber={open} />
      </Paper>
    </Stack>
  )
}

/** Of the panel. */
function useTitle(open: string): string {
  const job = useJob(open === bulkCommandHash ? '' : open)
  return open === bulkCommandHash ? 'Send bulk command' : (job.data?.title ?? 'Job')
}

/** The form, empty or filled in from an earlier job. */
function BulkCommandPanel({ search, onSent }: { search: JobsSearch; onSent: (number: string) => void }) {
  const { repeat } = search
  const request = useRequest(repeat ?? '')
  if (repeat === undefined) return <BulkCommand onSent={onSent} />
  if (request.error && !request.data)
    return <Failure error={request.error} onRetry={() => void request.refetch()} />
  if (!request.data) return <Loading what="earlier command" />
  return <BulkCommand key={repeat} initial={repeatedCommand(request.data)} onSent={onSent} />
}

function useFilter(search: JobsSearch) {
  const { kind: kinds = [], state: states = [] } = search
  const navigate = useNavigate()
  const change = (changes: JobsSearch) =>
    void navigate({ to: '/jobs', search: listSearch({ ...search, ...changes }), replace: true })
  const setKinds = (kind: JobKind[]) => change({ kind })
  const setStates = (state: JobState[]) => change({ state })
  const query = { kind: kinds.length === 0 ? defaultKinds : kinds, state: states }
  return { kinds, setKinds, states, setStates, query, isOn: kinds.length + states.length > 0 }
}

const allKinds = Object.keys(kindLabels) as JobKind[]
/** Every visit of an access point creates a live view, which would hide all other jobs. */
const defaultKinds = allKinds.filter((kind) => kind !== 'agent_live')
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
