import type { FleetAgent } from '@manc/sdk'
import { Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useMemo } from 'react'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatAge } from '../format/time.ts'
import { useNow } from '../ui/states.tsx'

const periodMs = 15 * 60_000
const maxShown = 6

/** State changes of the last minutes, newest first. */
export function RecentChanges({
  agents,
  onOpen,
}: {
  agents: readonly FleetAgent[]
  onOpen: (apId: string) => void
}) {
  const now = useNow()
  const changed = useMemo(
    // ISO timestamps sort as text.
    () => agents.toSorted((a, b) => (a.since > b.since ? -1 : 1)).slice(0, maxShown),
    [agents],
  )
  const recent = changed.filter(({ since }) => now - Date.parse(since) < periodMs)
  return (
    <Stack gap={4} p="md" style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}>
      <Text size="xs" fw={600} c="dimmed">
        State changes in the last 15 minutes
      </Text>
      {recent.length === 0 && (
        <Text size="sm" c="dimmed">
          No changes
        </Text>
      )}
      {recent.map((agent) => (
        <UnstyledButton key={agent.ap_id} onClick={() => onOpen(agent.ap_id)}>
          <Group gap="sm" wrap="nowrap">
            <TechnologyIcon technology={agent.technology} state={agent.state} />
            <Text size="sm" truncate style={{ flex: 1 }}>
              {agent.name ?? agent.ap_id} {changeText(agent)}
            </Text>
            <Text size="xs" c="dimmed" className="figures">
              {formatAge(now - Date.parse(agent.since))}
            </Text>
          </Group>
        </UnstyledButton>
      ))}
    </Stack>
  )
}

function changeText({ state, last_seen: lastSeen }: FleetAgent): string {
  if (state === 'online') return 'came online'
  // An access point that never sent anything cannot have gone offline.
  return lastSeen === null ? 'was registered' : `went ${state}`
}
