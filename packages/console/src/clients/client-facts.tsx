import '../access-point/access-point.css'
import type { Client, FleetAgent } from '@manc/sdk'
import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatAge, formatDateTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { Age, useNow } from '../ui/states.tsx'
import { AccessPointName } from './access-point-name.tsx'
import { TechnologyCell } from './client-columns.tsx'
import { endExplanation, rateText, signalText } from './client-texts.ts'

interface ClientHeaderProps {
  client: Client
  /** The access point that it is or was attached to. */
  agent: FleetAgent | undefined
  updatedAt: number
  children: ReactNode
}

/** Id, technology and state of a client. */
export function ClientHeader({ client, agent, updatedAt, children }: ClientHeaderProps) {
  const now = useNow()
  const age = formatAge(now - Date.parse(client.since))
  const name = agent?.name ?? client.ap_id
  return (
    <Stack gap="sm" px="lg" pt="md" pb="sm">
      <Anchor size="sm" component={Link} to="/clients" style={{ alignSelf: 'flex-start' }}>
        All clients
      </Anchor>
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={4} style={{ minWidth: 0 }}>
          <Group gap="sm" wrap="nowrap">
            <TechnologyIcon technology={client.technology} />
            <Title order={1} size="h4" style={{ overflowWrap: 'anywhere' }}>
              {client.id}
            </Title>
            <Badge variant="default" radius="sm" tt="none" style={{ flex: 'none' }}>
              {client.is_attached ? 'attached' : 'not attached'}
            </Badge>
          </Group>
          <Group gap="md" align="baseline">
            <Text size="sm" className="figures">
              {client.is_attached
                ? `Attached to ${name} for ${age}.`
                : `Not attached for ${age}. ${client.ended === null ? '' : endExplanation(client.ended)}`}
            </Text>
            <Age at={updatedAt} />
          </Group>
        </Stack>
        {children}
      </Group>
    </Stack>
  )
}

interface ClientFactsProps {
  client: Client
  agents: ReadonlyMap<string, FleetAgent>
}

/** The current attachment, or the last one. */
export function ClientFacts({ client, agents }: ClientFactsProps) {
  const { ap_id: apId, from_ap_id: fromApId } = client
  const facts: [string, ReactNode][] = [
    ['Access point', <AccessPointName key="ap" apId={apId} agent={agents.get(apId)} />],
    ['Technology', <TechnologyCell key="technology" technology={client.technology} />],
    [
      client.is_attached ? 'Since' : 'Ended',
      <Timestamp key="since" ms={Date.parse(client.since)} format={formatDateTime} />,
    ],
    [
      'Came from',
      fromApId === null ? '–' : <AccessPointName key="from" apId={fromApId} agent={agents.get(fromApId)} />,
    ],
    ['Signal', signalText(client) ?? '–'],
    ['Rate', rateText(client) ?? '–'],
  ]
  return (
    <Text size="sm" component="dl" className="facts figures">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </Text>
  )
}
