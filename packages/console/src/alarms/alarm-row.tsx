import { isKpi, kpis } from '@manc/contract/kpis'
import type { Alarm } from '@manc/sdk'
import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { SeverityIcon } from '../events/severity-icon.tsx'
import { formatWithUnit } from '../format/number.ts'
import { formatAge, formatDateTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { useNow } from '../ui/states.tsx'

interface AlarmRowProps {
  alarm: Alarm
  /** Undefined for users who may not acknowledge. */
  onAcknowledge: ((alarm: Alarm) => void) | undefined
}

export function AlarmRow({ alarm, onAcknowledge }: AlarmRowProps) {
  const now = useNow()
  const { ap_id: apId, severity, rule, value, metric, state } = alarm
  const endMs = alarm.cleared_at === null ? now : Date.parse(alarm.cleared_at)
  return (
    <Group className="entry-line" px="md" py="sm" gap="sm" wrap="nowrap">
      <SeverityIcon severity={severity} />
      <div style={{ flex: 1, minWidth: 200 }}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {rule}
          {value !== null && ` (${formatWithUnit(value, isKpi(metric) ? kpis[metric].unit : '')})`}:{' '}
          <Anchor
            size="sm"
            underline="always"
            renderRoot={(props) => <Link to="/access-points/$apId" params={{ apId }} {...props} />}
          >
            {apId}
          </Anchor>
        </Text>
        <Text size="xs" c="dimmed" className="figures">
          <Timestamp ms={Date.parse(alarm.raised_at)} format={formatDateTime} />
          {state === 'open' ? ', open for ' : ', lasted '}
          {formatAge(endMs - Date.parse(alarm.raised_at))}
          {alarm.acknowledged_by !== null &&
            `, acknowledged by ${alarm.acknowledged_by}${alarm.comment ? `: ${alarm.comment}` : ''}`}
        </Text>
      </div>
      {alarm.is_flapping && <Fact text="flapping" />}
      {state === 'open' && alarm.is_inhibited && metric !== 'presence' && (
        <Fact text="access point offline" />
      )}
      {alarm.assignee !== null && <Fact text={`assigned to ${alarm.assignee}`} />}
      {onAcknowledge && state === 'open' && alarm.acknowledged_by === null && (
        <Button variant="default" size="compact-sm" onClick={() => onAcknowledge(alarm)}>
          Acknowledge
        </Button>
      )}
    </Group>
  )
}

const Fact = ({ text }: { text: string }) => (
  <Badge variant="default" radius="sm" tt="none" style={{ flex: 'none' }}>
    {text}
  </Badge>
)
