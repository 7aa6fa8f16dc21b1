import type { EmulationRecord } from '@manc/sdk'
import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { formatCount } from '../format/number.ts'
import { formatRecentMinute } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { StopEmulation } from './stop-emulation.tsx'

const maxShown = 100

/** Emulations of other users and of applications, for administrators. */
export function OtherEmulations() {
  const me = useCurrentUser()
  const manc = useManc()
  const { data } = useQuery({
    queryKey: ['emulations'],
    enabled: me.isAdmin,
    queryFn: async ({ signal }) => {
      const others: EmulationRecord[] = []
      for await (const emulation of manc.emulations.list({ signal, pageSize: maxShown }))
        if (emulation.owner !== me.username && others.push(emulation) === maxShown) break
      return others
    },
    refetchInterval: 5000,
  })
  if (!data || data.length === 0) return null
  return (
    <Stack gap="md" component="section" aria-label="Emulations of others">
      <Title order={2} size="h5">
        Emulations of others
      </Title>
      {data.map((emulation) => (
        <Paper key={emulation.job_number} withBorder p="md">
          <Group justify="space-between">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {emulation.owner ?? 'Deleted account'}
              </Text>
              <Text size="sm" c="dimmed" className="figures">
                {formatCount(emulation.agents, 'access point')} ·{' '}
                {emulation.state === 'running' ? 'runs until ' : 'ended '}
                <Timestamp ms={Date.parse(emulation.ends_at)} format={formatRecentMinute} />
              </Text>
            </div>
            <StopEmulation
              jobNumber={emulation.job_number}
              name={`the emulation of ${emulation.owner ?? 'a deleted account'}`}
            />
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}
