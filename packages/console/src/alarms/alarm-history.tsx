import type { Alarm } from '@manc/sdk'
import { Anchor, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatDateTime, formatDuration } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { Failure, Loading, useNow } from '../ui/states.tsx'
import { clearReasonText, durationMs, valueText } from './alarm-texts.ts'
import { parseAlarmsFilter } from './alarms-search.ts'
import { useAlarms } from './use-alarms.ts'

const maxShown = 10

/** Other alarms of the same rule and access point, newest first. */
export function AlarmHistory({ alarm }: { alarm: Alarm }) {
  const now = useNow()
  const filter = { ...parseAlarmsFilter({ state: 'all' }), rule: alarm.rule_id, apId: alarm.ap_id }
  const { data, isPending, isError, error, refetch } = useAlarms(maxShown, filter)
  if (isPending) return <Loading what="earlier alarms" />
  if (isError && !data) return <Failure error={error} onRetry={() => void refetch()} />
  const others = data.filter(({ id }) => id !== alarm.id)
  if (others.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The rule raised no other alarm of this access point.
      </Text>
    )
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label="Other alarms of this rule and access point" className="figures" fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Raised</Table.Th>
            <Table.Th>Duration</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th>End</Table.Th>
            <Table.Th>Acknowledged by</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {others.slice(0, maxShown).map((other) => (
            <Table.Tr key={other.id}>
              <Table.Td>
                <Anchor
                  size="sm"
                  renderRoot={(props) => (
                    <Link to="/alarms/$alarmId" params={{ alarmId: other.id }} {...props} />
                  )}
                >
                  <Timestamp ms={Date.parse(other.raised_at)} format={formatDateTime} />
                </Anchor>
              </Table.Td>
              <Table.Td>{formatDuration(durationMs(other, now))}</Table.Td>
              <Table.Td>{other.value === null ? '–' : valueText(other.metric, other.value)}</Table.Td>
              <Table.Td>{other.state === 'open' ? 'open' : clearReasonText(other)}</Table.Td>
              <Table.Td>{other.acknowledged_by ?? '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
