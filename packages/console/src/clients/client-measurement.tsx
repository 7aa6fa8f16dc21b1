import '../access-point/access-point.css'
import type { FleetAgent, ClientMeasurement as Measurement } from '@manc/sdk'
import { Stack, Table, Text } from '@mantine/core'
import { formatWithUnit } from '../format/number.ts'
import { formatDateTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { AccessPointName } from './access-point-name.tsx'
import { heardRows } from './client-texts.ts'

interface ClientMeasurementProps {
  measurement: Measurement | null
  isAttached: boolean
  agents: ReadonlyMap<string, FleetAgent>
}

/** What the client receives, and the access points that it hears. */
export function ClientMeasurement({ measurement, isAttached, agents }: ClientMeasurementProps) {
  if (!measurement)
    return (
      <Text size="sm">
        {isAttached
          ? 'Not measured yet. Access points may report the throughput of a client and what it hears, about every 20 s.'
          : 'The client is measured while it is attached.'}
      </Text>
    )
  const rows = heardRows(measurement.heard, (apId) => agents.get(apId)?.technology)
  return (
    <Stack gap="sm">
      <Text size="sm" component="dl" className="facts figures">
        <div>
          <dt>Throughput</dt>
          <dd>{formatWithUnit(measurement.throughput_mbps ?? undefined, 'Mbit/s')}</dd>
        </div>
        <div>
          <dt>Measured</dt>
          <dd>
            <Timestamp ms={Date.parse(measurement.at)} format={formatDateTime} />
          </dd>
        </div>
      </Text>
      {rows.length === 0 ? (
        <Text size="sm">It has reported no access points that it hears.</Text>
      ) : (
        <Table verticalSpacing={4} aria-label="Heard access points">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Hears</Table.Th>
              <Table.Th ta="right">Signal</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ apId, text }) => (
              <Table.Tr key={apId}>
                <Table.Td>
                  <AccessPointName apId={apId} agent={agents.get(apId)} />
                </Table.Td>
                <Table.Td ta="right" className="figures" style={{ whiteSpace: 'nowrap' }}>
                  {text}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  )
}
