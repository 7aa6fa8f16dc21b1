import type { EmulatedChoice, EventKind, NetworkEvent } from '@manc/sdk'
import { Anchor, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useManc } from '../app/session.tsx'
import { SeverityIcon } from '../events/severity-icon.tsx'
import { useAgents } from '../fleet/fleet.ts'
import { formatAge } from '../format/time.ts'
import { Failure, useNow } from '../ui/states.tsx'

const periodMs = 15 * 60_000
/** So that most of the space is left to the list of access points; the page Events has all. */
const maxShown = 4
const kinds: EventKind[] = ['online', 'stale', 'offline', 'health', 'onboarded']

interface RecentChangesProps {
  emulated: EmulatedChoice
  onOpen: (apId: string) => void
}

/** Changes of state and health in the last minutes, newest first, including those that were reverted. */
export function RecentChanges({ emulated, onOpen }: RecentChangesProps) {
  const now = useNow()
  const manc = useManc()
  const changes = useQuery({
    queryKey: ['network', 'changes', emulated],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - periodMs)
      const found: NetworkEvent[] = []
      for await (const event of manc.events.list({
        kind: kinds,
        emulated,
        from,
        pageSize: maxShown,
        signal,
      })) {
        found.push(event)
        if (found.length === maxShown) break
      }
      return found
    },
    refetchInterval: 5000,
  })
  const agents = useAgents((changes.data ?? []).flatMap(({ ap_id: apId }) => apId ?? []))
  return (
    <Stack gap={4} px="md" py="sm" style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="xs" fw={600} c="dimmed">
          Changes in the last 15 minutes
        </Text>
        <Anchor size="xs" renderRoot={(props) => <Link to="/events" {...props} />}>
          All events
        </Anchor>
      </Group>
      {changes.isError && !changes.data && (
        <Failure error={changes.error} onRetry={() => void changes.refetch()} />
      )}
      {changes.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No changes
        </Text>
      )}
      {changes.data?.map(({ id, at, ap_id: apId, kind, severity, data }) => (
        <UnstyledButton key={id} onClick={() => apId !== null && onOpen(apId)}>
          <Group gap="sm" wrap="nowrap">
            <SeverityIcon severity={severity} />
            <Text size="sm" truncate style={{ flex: 1 }}>
              {agents.get(apId ?? '')?.name ?? apId} {changeText(kind, data)}
            </Text>
            <Text size="xs" c="dimmed" className="figures">
              {formatAge(now - Date.parse(at))}
            </Text>
          </Group>
        </UnstyledButton>
      ))}
    </Stack>
  )
}

function changeText(kind: string, { to }: NetworkEvent['data']): string {
  if (kind === 'health') return `is ${String(to)}`
  if (kind === 'online') return 'came online'
  return kind === 'onboarded' ? 'sent its first message' : `went ${kind}`
}
