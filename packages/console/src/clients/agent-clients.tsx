import './clients.css'
import type { Client, FleetAgent } from '@manc/sdk'
import { Anchor, Button, Center, Group, Stack, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatCount } from '../format/number.ts'
import { Age, Empty, Failure, Loading, useNow } from '../ui/states.tsx'
import { AccessPointName } from './access-point-name.tsx'
import { SinceCell } from './client-columns.tsx'
import { rateText, signalText } from './client-texts.ts'
import { useClientsOf } from './use-clients.ts'
import { useKnownAgents } from './use-known-agents.ts'

const pageSize = 100

/** The clients that are attached to an access point now. */
export function AgentClients({ apId }: { apId: string }) {
  const [limit, setLimit] = useState(pageSize)
  const clients = useClientsOf(apId, limit)
  const shown = clients.data?.slice(0, limit) ?? []
  const hasMore = (clients.data?.length ?? 0) > limit
  const agents = useKnownAgents(shown.flatMap(({ from_ap_id: from }) => from ?? []))
  if (clients.isPending) return <Loading what="clients" />
  if (clients.isError && !clients.data)
    return <Failure error={clients.error} onRetry={() => void clients.refetch()} />
  return (
    <Stack gap="sm">
      {clients.isError && <Failure error={clients.error} onRetry={() => void clients.refetch()} />}
      <Group justify="space-between" gap="sm">
        <Group gap="md" align="baseline">
          <Text size="sm" c="dimmed" role="status" className="figures">
            {`${hasMore ? 'The first ' : ''}${formatCount(shown.length, 'client')}`}
          </Text>
          <Age at={clients.dataUpdatedAt} lateAfterS={15 * Math.ceil(limit / 500)} />
        </Group>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/clients" search={{ ap: apId, emulated: 'all' }} {...props} />}
        >
          Open in Clients
        </Anchor>
      </Group>
      {shown.length === 0 ? (
        <Empty title="No clients">
          No client is attached, or the agent does not report its clients. Clients that were attached before
          are listed in Clients.
        </Empty>
      ) : (
        <AttachedTable clients={shown} agents={agents} />
      )}
      {hasMore && (
        <Center>
          <Button
            variant="default"
            size="xs"
            loading={clients.isPlaceholderData}
            onClick={() => setLimit(limit + 1000)}
          >
            Show more clients
          </Button>
        </Center>
      )}
    </Stack>
  )
}

interface AttachedTableProps {
  clients: readonly Client[]
  agents: ReadonlyMap<string, FleetAgent>
}

function AttachedTable({ clients, agents }: AttachedTableProps) {
  const now = useNow()
  return (
    <div className="attachments-scroll" role="region" aria-label="Table of clients" tabIndex={0}>
      <Table className="attachments figures" verticalSpacing={4} aria-label="Attached clients">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Client</Table.Th>
            <Table.Th>Since</Table.Th>
            <Table.Th>Came from</Table.Th>
            <Table.Th>Signal</Table.Th>
            <Table.Th>Rate</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {clients.map((client) => (
            <Table.Tr key={client.id}>
              <Table.Td data-title="Client">
                <Anchor
                  size="sm"
                  renderRoot={(props) => (
                    <Link to="/clients/$clientId" params={{ clientId: client.id }} {...props} />
                  )}
                >
                  {client.id}
                </Anchor>
              </Table.Td>
              <Table.Td data-title="Since">
                <SinceCell since={client.since} now={now} />
              </Table.Td>
              <Table.Td data-title="Came from">
                <span>
                  {client.from_ap_id === null ? (
                    '–'
                  ) : (
                    <AccessPointName apId={client.from_ap_id} agent={agents.get(client.from_ap_id)} />
                  )}
                </span>
              </Table.Td>
              <Table.Td data-title="Signal">{signalText(client) ?? '–'}</Table.Td>
              <Table.Td data-title="Rate">{rateText(client) ?? '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
