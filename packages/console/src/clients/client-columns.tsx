import type { Client, ClientOrder, FleetAgent } from '@manc/sdk'
import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatAge, formatDateTime } from '../format/time.ts'
import { AccessPointName } from './access-point-name.tsx'
import { endExplanation, rateText, signalText, stateText } from './client-texts.ts'

/** What a cell shows besides the client. */
interface CellContext {
  now: number
  agent: FleetAgent | undefined
}

interface Column {
  label: string
  /** Explains the heading. */
  title?: string
  /** In pixels. */
  width: number
  /** Takes what is left. */
  isText?: true
  isNumber?: true
  /** The controller sorts by it, in this order. */
  sort?: { by: ClientOrder; order: 'ascending' | 'descending' }
  cell: (client: Client, context: CellContext) => ReactNode
}

const none = (
  <Text span c="dimmed" inherit>
    –
  </Text>
)

export const columns: readonly Column[] = [
  {
    label: 'Client',
    title: 'A pseudonym, unless the controller is set to clear names',
    width: 200,
    sort: { by: 'id', order: 'ascending' },
    cell: ({ id }) => (
      <Link to="/clients/$clientId" params={{ clientId: id }} tabIndex={-1} className="table-link figures">
        {id}
      </Link>
    ),
  },
  {
    label: 'Access point',
    width: 240,
    isText: true,
    cell: ({ ap_id: apId }, { agent }) => <AccessPointName apId={apId} agent={agent} isInGrid />,
  },
  {
    label: 'Technology',
    width: 112,
    cell: ({ technology }) => <TechnologyCell technology={technology} />,
  },
  {
    label: 'Since',
    title: 'Of its attachment; of a client that is not attached, since when',
    width: 96,
    sort: { by: 'since', order: 'descending' },
    cell: ({ since }, { now }) => <SinceCell since={since} now={now} />,
  },
  {
    label: 'Signal',
    title: 'RSRP of 5G, RSSI of WiFi, SNR of LiFi',
    width: 116,
    isNumber: true,
    cell: (client) => signalText(client) ?? none,
  },
  {
    label: 'Rate',
    title: 'Of its link',
    width: 124,
    isNumber: true,
    cell: (client) => rateText(client) ?? none,
  },
  { label: 'State', width: 170, cell: (client) => <StateCell client={client} /> },
]

export function TechnologyCell({ technology }: Pick<Client, 'technology'>) {
  return (
    <Group gap={6} wrap="nowrap">
      <TechnologyIcon technology={technology} />
      <span aria-hidden>{technology}</span>
    </Group>
  )
}

export function SinceCell({ since, now }: { since: string; now: number }) {
  const sinceMs = Date.parse(since)
  return (
    <time dateTime={since} title={formatDateTime(sinceMs)}>
      {formatAge(now - sinceMs)}
    </time>
  )
}

export function StateCell({ client }: { client: Client }) {
  return (
    <span {...(client.ended !== null && { title: endExplanation(client.ended) })}>{stateText(client)}</span>
  )
}
