import type { Alarm } from '@manc/sdk'
import { Anchor, Button, Checkbox, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { SeverityIcon } from '../events/severity-icon.tsx'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatAge, formatDateTime } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { AlarmFacts } from './alarm-facts.tsx'
import { alarmTitle, durationMs } from './alarm-texts.ts'

interface AlarmRowProps {
  alarm: Alarm
  nowMs: number
  /** Undefined for users who may not acknowledge. */
  selection?: { isSelected: boolean; onToggle: () => void; onAcknowledge: () => void } | undefined
}

export const canBeAcknowledged = ({ state, acknowledged_by: by }: Alarm): boolean =>
  state === 'open' && by === null

export function AlarmRow({ alarm, nowMs, selection }: AlarmRowProps) {
  const { id, ap_id: apId, severity, rule, state } = alarm
  const isNew = canBeAcknowledged(alarm)
  return (
    <Group className="entry-line" px="md" py="sm" gap="sm" wrap="nowrap">
      {selection && (
        <Checkbox
          size="xs"
          aria-label={`Select ${rule}: ${apId}`}
          checked={selection.isSelected}
          disabled={!isNew}
          onChange={selection.onToggle}
        />
      )}
      <SeverityIcon severity={severity} />
      <div style={{ flex: 1, minWidth: 200 }}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} component="div">
          <Anchor
            size="sm"
            fw={isNew ? 600 : 400}
            renderRoot={(props) => <Link to="/alarms/$alarmId" params={{ alarmId: id }} {...props} />}
          >
            {alarmTitle(alarm)}
          </Anchor>
        </Text>
        <Group gap={6} wrap="nowrap">
          <TechnologyIcon technology={alarm.technology} />
          <Anchor
            size="xs"
            truncate
            renderRoot={(props) => <Link to="/access-points/$apId" params={{ apId }} {...props} />}
          >
            {apId}
          </Anchor>
        </Group>
        {alarm.acknowledged_by !== null && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            Acknowledged by {alarm.acknowledged_by}
            {alarm.comment ? `: ${alarm.comment}` : ''}
          </Text>
        )}
      </div>
      <Group gap="sm" className="entry-facts alarm-facts">
        <AlarmFacts alarm={alarm} />
        <Text size="xs" c="dimmed" className="figures">
          <Timestamp ms={Date.parse(alarm.raised_at)} format={formatDateTime} />
          {state === 'open' ? ', open for ' : ', lasted '}
          {formatAge(durationMs(alarm, nowMs))}
        </Text>
        {selection && isNew && (
          <Button variant="default" size="compact-sm" onClick={selection.onAcknowledge}>
            Acknowledge
          </Button>
        )}
      </Group>
    </Group>
  )
}
