import type { AgentRejections } from '@manc/sdk'
import { Alert, Badge, Stack, Table, Text } from '@mantine/core'
import { formatNumber } from '../format/number.ts'
import { formatAge, formatDuration } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { Empty, Failure, Loading, useNow } from '../ui/states.tsx'
import { useRejections } from './access-point-data.ts'
import { adviceFor } from './rejection-advice.ts'

/** What was rejected of an access point, by reason, and whether it is suspended. */
export function Rejections({ apId }: { apId: string }) {
  const { data, error, refetch } = useRejections(apId)
  if (!data && error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading what="rejected data" />
  return (
    <Stack gap="md" py="md">
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <Suspension rejections={data} />
      {data.rejected.length > 0 ? (
        <RejectedTable rejected={data.rejected} />
      ) : (
        <Empty title="Nothing was rejected">
          Everything that this access point sent over MQTT was stored. Reasons stay listed here for 30 days.
        </Empty>
      )}
    </Stack>
  )
}

/** On the tab, so that it is seen without opening it. */
export function RejectionsBadge({ apId }: { apId: string }) {
  const { data } = useRejections(apId)
  if (data && data.suspended_until !== null)
    return (
      <Badge color="red.9" size="sm" tt="none">
        suspended
      </Badge>
    )
  if (!data || data.rejected.length === 0) return null
  return (
    <Badge variant="default" size="sm" className="figures" aria-label={`${data.rejected.length} reasons`}>
      {data.rejected.length}
    </Badge>
  )
}

function Suspension({ rejections }: { rejections: AgentRejections }) {
  const now = useNow()
  const { suspended_until: until, last_suspension: last } = rejections
  if (!last) return null
  if (until === null)
    return (
      <Alert color="gray" title={`Last suspended ${formatAge(now - Date.parse(last.at))} ago`}>
        <Reason reason={last.reason} />
      </Alert>
    )
  const leftMs = Math.max(0, Date.parse(until) - now)
  return (
    <Alert color="red" role="status" title={`Suspended for another ${formatDuration(leftMs)}`}>
      <Text size="sm" mb="xs">
        The agent was disconnected at <Timestamp ms={Date.parse(last.at)} />. The broker accepts its login
        again at <Timestamp ms={Date.parse(until)} />. The pause doubles each time, up to 15 minutes.
      </Text>
      <Reason reason={last.reason} />
    </Alert>
  )
}

function RejectedTable({ rejected }: { rejected: AgentRejections['rejected'] }) {
  return (
    <Table aria-label="Rejected data" verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Reason</Table.Th>
          <Table.Th ta="right">Samples</Table.Th>
          <Table.Th ta="right">Last</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rejected.map(({ reason, samples, last_at: lastAt }) => (
          <Table.Tr key={reason}>
            <Table.Td>
              <Reason reason={reason} />
            </Table.Td>
            <Table.Td ta="right" className="figures" style={{ verticalAlign: 'top' }}>
              {formatNumber(samples)}
            </Table.Td>
            <Table.Td ta="right" className="figures" style={{ verticalAlign: 'top' }}>
              <Timestamp ms={Date.parse(lastAt)} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** The reason, and what to do about it. */
function Reason({ reason }: { reason: string }) {
  const { advice, setting } = adviceFor(reason)
  return (
    <>
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {reason.charAt(0).toUpperCase() + reason.slice(1)}
      </Text>
      <Text size="sm" c="dimmed">
        {advice} {setting && <>The limit is {setting}.</>}
      </Text>
    </>
  )
}
