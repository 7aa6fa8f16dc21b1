import type { Client, FleetAgent } from '@manc/sdk'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useNeighbours } from '../access-point/access-point-data.ts'
import { CommandProgress } from '../commands/command-progress.tsx'
import { useCommands } from '../commands/use-commands.ts'
import { AccessPointSelect } from '../fleet/access-point-select.tsx'

interface MoveClientProps {
  client: Client
  /** The access point that it is attached to; undefined until it is read. */
  agent: FleetAgent | undefined
  nameOf: (apId: string) => string
}

/** Asks a client to move to another access point, and shows what it did; for operators. */
export function MoveClient({ client, agent, nameOf }: MoveClientProps) {
  // The access point that the client is attached to asks it.
  const { sent, send } = useCommands(client.ap_id)
  const [target, setTarget] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (target === undefined) return
    send(`steer_client ${client.id} ${target}`)
    setTarget(undefined)
  }
  return (
    <Stack gap="md">
      {client.is_attached ? (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <TargetSelect client={client} agent={agent} value={target} onChange={setTarget} />
            <Group justify="flex-end">
              <Button
                type="submit"
                size="xs"
                leftSection={<IconArrowsExchange size={14} />}
                disabled={target === undefined}
              >
                Move
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Text size="sm">The client is not attached. It can be moved as soon as it is.</Text>
      )}
      {sent.map((each) => (
        <CommandProgress key={each.key} sent={each} nameOf={nameOf} />
      ))}
    </Stack>
  )
}

interface TargetSelectProps {
  client: Client
  agent: FleetAgent | undefined
  value: string | undefined
  onChange: (apId: string | undefined) => void
}

/** Nearby access points are offered first. */
function TargetSelect({ client, agent, value, onChange }: TargetSelectProps) {
  const neighbours = useNeighbours(agent ?? { ap_id: client.ap_id, position: null })
  return (
    <AccessPointSelect
      label="To access point"
      description={agent?.position ? 'The nearest ones, or search by ID or name' : 'Search by ID or name'}
      placeholder="Access point"
      value={value}
      onChange={onChange}
      emulated="all"
      suggested={neighbours.data?.map((neighbour) => neighbour.agent) ?? []}
      excluded={client.ap_id}
    />
  )
}
