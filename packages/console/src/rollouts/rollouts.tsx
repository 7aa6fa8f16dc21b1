import type { Rollout } from '@manc/sdk'
import { Anchor, Box, Button, Center, Drawer, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { formatRecentTime } from '../format/time.ts'
import { Age, Empty, Failure, Loading } from '../ui/states.tsx'
import { RolloutForm } from './rollout-form.tsx'
import { progressText, stateLabels } from './rollout-texts.ts'
import { RolloutView } from './rollout-view.tsx'
import { useRollout, useRollouts } from './use-rollouts.ts'
import '../ui/record-list.css'

const pageSize = 50
const form = 'new'

/** Changes of the configuration of many access points, newest first. */
export function Rollouts() {
  const [limit, setLimit] = useState(pageSize)
  const { open } = useSearch({ from: '/inside/administration/rollouts' })
  const navigate = useNavigate()
  const list = useRollouts(limit)
  const show = (id: string | undefined) =>
    void navigate({ to: '/administration/rollouts', search: id === undefined ? {} : { open: id } })
  const shown = list.data?.slice(0, limit)
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Age at={list.dataUpdatedAt} />
        <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => show(form)}>
          Start rollout
        </Button>
      </Group>
      {list.isPending && <Loading what="rollouts" />}
      {list.isError && !list.data && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {shown?.length === 0 && (
        <Empty title="No rollouts yet">
          A rollout changes the configuration of many access points in stages, and stops when some fail.
        </Empty>
      )}
      {shown && shown.length > 0 && (
        <Paper withBorder role="list" aria-label="Rollouts, newest first">
          {shown.map((rollout) => (
            <Box key={rollout.id} role="listitem" className="entry" p="md">
              <RolloutRow rollout={rollout} />
            </Box>
          ))}
        </Paper>
      )}
      {(list.data?.length ?? 0) > limit && (
        <Center>
          <Button variant="default" size="xs" onClick={() => setLimit((n) => n + pageSize)}>
            Show earlier rollouts
          </Button>
        </Center>
      )}
      <Drawer
        opened={open !== undefined}
        onClose={() => show(undefined)}
        position="right"
        size="min(900px, 100%)"
        // The form is not closed by accident.
        closeOnEscape={open !== form}
        closeOnClickOutside={open !== form}
        title={<PanelTitle open={open} />}
      >
        {open === form && <RolloutForm onStarted={({ id }) => show(id)} />}
        {open !== undefined && open !== form && <RolloutView key={open} id={open} />}
      </Drawer>
    </Stack>
  )
}

function PanelTitle({ open = '' }: { open: string | undefined }) {
  const isForm = open === form || open === ''
  return (
    <Text fw={600} size="lg" component="span">
      {isForm ? 'Start rollout' : <RolloutTitle id={open} />}
    </Text>
  )
}

const RolloutTitle = ({ id }: { id: string }) => <>{useRollout(id).data?.title ?? 'Rollout'}</>

function RolloutRow({ rollout }: { rollout: Rollout }) {
  return (
    <Group justify="space-between" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to="/administration/rollouts" search={{ open: rollout.id }} />
          )}
        >
          {rollout.title}
        </Anchor>
        <Text size="sm" c="dimmed" className="figures">
          {progressText(rollout)}
        </Text>
      </div>
      <Text
        size="sm"
        ta="right"
        className="figures"
        {...(rollout.state === 'stopped' && { c: 'var(--mantine-color-error)', fw: 600 })}
      >
        {stateLabels[rollout.state]}
        <Text size="xs" c="dimmed" component="span" display="block">
          {rollout.created_by}, {formatRecentTime(Date.parse(rollout.created_at))}
        </Text>
      </Text>
    </Group>
  )
}
