import type { Experiment } from '@manc/sdk'
import { Anchor, Box, Button, Center, Drawer, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { formatRecentTime } from '../format/time.ts'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { ExperimentForm } from './experiment-form.tsx'
import { progressText, stateLabels, worldText } from './experiment-texts.ts'
import { ExperimentView } from './experiment-view.tsx'
import { useExperiment, useExperiments } from './use-experiments.ts'
import '../ui/record-list.css'

const pageSize = 50
const form = 'new'

/** Comparisons of policies in simulated worlds, newest first. */
export function Experiments() {
  const me = useCurrentUser()
  const { open } = useSearch({ from: '/inside/experiments' })
  const navigate = useNavigate()
  const show = (id: string | undefined) =>
    void navigate({ to: '/experiments', search: id === undefined ? {} : { open: id } })
  if (!me.isPending && !me.isOperator)
    return <Empty title="Only for operators">Operators compare policies here.</Empty>
  return (
    <Box p="lg" maw={1080}>
      <Stack gap="lg">
        <Group justify="space-between" gap="sm">
          <div>
            <Title order={1} size="h4">
              Experiments
            </Title>
            <Text c="dimmed" size="sm">
              Policies compared in simulated worlds. Access points are not affected.
            </Text>
          </div>
          <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => show(form)}>
            New experiment
          </Button>
        </Group>
        <List />
      </Stack>
      <Drawer
        opened={open !== undefined}
        onClose={() => show(undefined)}
        position="right"
        size="min(1100px, 100%)"
        // The form is not closed by accident.
        closeOnEscape={open !== form}
        closeOnClickOutside={open !== form}
        title={
          <Text fw={600} size="lg" component="span">
            {open === undefined || open === form ? 'New experiment' : <ExperimentTitle id={open} />}
          </Text>
        }
      >
        {open === form && <ExperimentForm onStarted={({ id }) => show(id)} />}
        {open !== undefined && open !== form && (
          <ExperimentView key={open} id={open} onRemoved={() => show(undefined)} />
        )}
      </Drawer>
    </Box>
  )
}

const ExperimentTitle = ({ id }: { id: string }) => <>{useExperiment(id).data?.name ?? 'Experiment'}</>

function List() {
  const [limit, setLimit] = useState(pageSize)
  const list = useExperiments(limit)
  if (list.isPending) return <Loading what="experiments" />
  if (list.isError && !list.data) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  const shown = list.data.slice(0, limit)
  if (shown.length === 0)
    return (
      <Empty title="No experiments yet">
        An experiment runs policies in the same simulated worlds and compares their results.
      </Empty>
    )
  return (
    <Stack gap="md">
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      <Paper withBorder role="list" aria-label="Experiments, newest first">
        {shown.map((experiment) => (
          <Box key={experiment.id} role="listitem" className="entry" p="md">
            <ExperimentRow experiment={experiment} />
          </Box>
        ))}
      </Paper>
      {list.data.length > limit && (
        <Center>
          <Button variant="default" size="xs" onClick={() => setLimit((n) => n + pageSize)}>
            Show earlier experiments
          </Button>
        </Center>
      )}
    </Stack>
  )
}

function ExperimentRow({ experiment }: { experiment: Experiment }) {
  return (
    <Group justify="space-between" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/experiments" search={{ open: experiment.id }} />}
        >
          {experiment.name}
        </Anchor>
        <Text size="sm" c="dimmed" className="figures">
          {worldText(experiment)}. {progressText(experiment)}
        </Text>
      </div>
      <Text
        size="sm"
        ta="right"
        className="figures"
        {...(experiment.state === 'failed' && { c: 'var(--mantine-color-error)', fw: 600 })}
      >
        {stateLabels[experiment.state]}
        <Text size="xs" c="dimmed" component="span" display="block">
          {experiment.owner}, {formatRecentTime(Date.parse(experiment.created_at))}
        </Text>
      </Text>
    </Group>
  )
}
