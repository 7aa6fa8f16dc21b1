import type { SystemHealth, SystemPart } from '@manc/sdk'
import { Box, Button, Group, Popover, ScrollArea, Stack, Text } from '@mantine/core'
import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck, IconHelpCircle } from '@tabler/icons-react'
import { useCurrentUser } from '../app/current-user.ts'
import { formatAge } from '../format/time.ts'
import { useNow } from '../ui/states.tsx'
import { type ControllerHealth, useControllerHealth } from './controller-health.ts'
import '../fleet/health.css'

/** In the headline; the panel has the others. */
const maxShown = 2

const icons = {
  bad: IconAlertOctagon,
  degraded: IconAlertTriangle,
  unknown: IconHelpCircle,
  good: IconCircleCheck,
}

function StateIcon({ state }: Pick<ControllerHealth, 'state'>) {
  const level = state === 'not reachable' ? 'bad' : state
  const Icon = icons[level]
  return <Icon size={16} className={`health-${level}`} style={{ flex: 'none' }} aria-hidden />
}

const needsAttention = ({ state }: SystemPart) => state === 'bad' || state === 'degraded'

/** Whether the controller itself works, with a panel of all its parts. */
export function ControllerButton() {
  const { isOperator } = useCurrentUser()
  const health = useControllerHealth(isOperator)
  if (!health) return null
  return (
    <Popover position="bottom-start" trapFocus withinPortal shadow="md" width="min(480px, 94vw)">
      <Popover.Target>
        <Button size="compact-sm" variant="default" leftSection={<StateIcon state={health.state} />}>
          Controller: {health.state}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <ScrollArea.Autosize mah="70dvh" type="auto" viewportProps={{ tabIndex: 0 }}>
          <Stack gap="sm" p="md">
            <Stack component="ul" gap="sm" m={0} p={0}>
              {health.parts.map((part) => (
                <Group key={part.id} component="li" gap={8} wrap="nowrap" align="flex-start">
                  <StateIcon state={part.state} />
                  <Details part={part} />
                </Group>
              ))}
            </Stack>
            <Processes processes={health.processes} />
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}

function Details({ part }: { part: SystemPart }) {
  const now = useNow()
  return (
    <Box style={{ minWidth: 0 }}>
      <Text size="sm" fw={600}>
        {part.name}: {part.state}
        {part.since !== null && needsAttention(part) && ` for ${formatAge(now - Date.parse(part.since))}`}
      </Text>
      <Text size="sm">{part.reason}</Text>
      {part.next_step !== null && <Text size="sm">{part.next_step}</Text>}
      {part.runbook !== null && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {part.runbook}
        </Text>
      )}
    </Box>
  )
}

function Processes({ processes }: Pick<SystemHealth, 'processes'>) {
  const now = useNow()
  if (processes.length === 0) return null
  return (
    <Stack gap={4}>
      <Text size="xs" fw={600} c="dimmed">
        Processes
      </Text>
      {processes.map((process) => (
        <Group key={process.id} justify="space-between" gap={8}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {process.host}: {process.roles.join(', ')}
          </Text>
          <Text size="xs" c="dimmed" className="figures">
            {process.version}, {process.is_alive ? 'running' : 'no heartbeat'} for{' '}
            {formatAge(now - Date.parse(process.is_alive ? process.started_at : process.alive_at))}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}

/** What needs attention in the controller, and what to do about it. Nothing if it is good. */
export function ControllerReasons() {
  const { isOperator } = useCurrentUser()
  const health = useControllerHealth(isOperator)
  const parts = health?.parts.filter(needsAttention) ?? []
  if (parts.length === 0) return null
  return (
    <Stack gap={2} px="lg" pb="sm" visibleFrom="sm" role="group" aria-label="Parts of the controller">
      {parts.slice(0, maxShown).map((part) => (
        <Group key={part.id} gap={6} wrap="nowrap">
          <StateIcon state={part.state} />
          <Text size="sm" truncate title={part.reason}>
            {part.name}: {part.reason} {part.next_step}
          </Text>
        </Group>
      ))}
      {parts.length > maxShown && (
        <Text size="sm" c="dimmed">
          {parts.length - maxShown} more: see Controller
        </Text>
      )}
    </Stack>
  )
}
