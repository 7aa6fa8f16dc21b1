import './clients.css'
import type { FleetAgent } from '@manc/sdk'
import { Button, Center, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { formatNumber } from '../format/number.ts'
import { formatDuration } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { useNow } from '../ui/states.tsx'
import { AccessPointName } from './access-point-name.tsx'
import { TechnologyCell } from './client-columns.tsx'
import type { Visit } from './client-path.ts'
import { endExplanation, rateText, signalText, stateText } from './client-texts.ts'

const pageSize = 50

interface AttachmentTableProps {
  /** The newest first. */
  visits: readonly Visit[]
  agents: ReadonlyMap<string, FleetAgent>
}

/** The same as the timeline, as a table. */
export function AttachmentTable({ visits, agents }: AttachmentTableProps) {
  const now = useNow()
  const [shown, setShown] = useState(pageSize)
  const left = visits.length - shown
  return (
    <>
      <div className="attachments-scroll" role="region" aria-label="Table of attachments" tabIndex={0}>
        <Table className="attachments figures" verticalSpacing={4} aria-label="Attachments, newest first">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>From</Table.Th>
              <Table.Th>To</Table.Th>
              <Table.Th>Access point</Table.Th>
              <Table.Th>Technology</Table.Th>
              <Table.Th>Duration</Table.Th>
              <Table.Th>Signal</Table.Th>
              <Table.Th>Rate</Table.Th>
              <Table.Th>Ended</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {visits.slice(0, shown).map((visit, n) => (
              <Row key={n} visit={visit} agent={agents.get(visit.apId)} now={now} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {left > 0 && (
        <Center>
          <Button variant="subtle" onClick={() => setShown(shown + pageSize)}>
            Show {Math.min(left, pageSize)} more ({formatNumber(left)} not shown)
          </Button>
        </Center>
      )}
    </>
  )
}

interface RowProps {
  visit: Visit
  agent: FleetAgent | undefined
  now: number
}

function Row({ visit, agent, now }: RowProps) {
  const { apId, technology, sinceMs, untilMs, ended } = visit
  return (
    <Table.Tr>
      <Table.Td data-title="From">
        <Timestamp ms={sinceMs} />
      </Table.Td>
      <Table.Td data-title="To">{ended === null ? 'now' : <Timestamp ms={untilMs} />}</Table.Td>
      <Table.Td data-title="Access point">
        <span>
          <AccessPointName apId={apId} agent={agent} />
        </span>
      </Table.Td>
      <Table.Td data-title="Technology">
        <TechnologyCell technology={technology} />
      </Table.Td>
      <Table.Td data-title="Duration">
        {formatDuration((ended === null ? Math.max(now, sinceMs) : untilMs) - sinceMs)}
      </Table.Td>
      <Table.Td data-title="Signal">{signalText(visit) ?? '–'}</Table.Td>
      <Table.Td data-title="Rate">{rateText(visit) ?? '–'}</Table.Td>
      <Table.Td data-title="Ended">
        <Text size="sm" span {...(ended !== null && { title: endExplanation(ended) })}>
          {stateText(visit)}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}
