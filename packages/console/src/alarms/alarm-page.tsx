import '../access-point/access-point.css'
import { adviceOf } from '@manc/contract/alarm-advice'
import { type Alarm, type AlarmRule, NotFound } from '@manc/sdk'
import { Anchor, Badge, Box, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { SeverityIcon } from '../events/severity-icon.tsx'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatDateTime, formatDuration } from '../format/time.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { Empty, Failure, Loading, useNow } from '../ui/states.tsx'
import { AlarmActions } from './alarm-actions.tsx'
import { AlarmChart } from './alarm-chart.tsx'
import { AlarmFacts } from './alarm-facts.tsx'
import { AlarmHistory } from './alarm-history.tsx'
import { alarmTitle, clearedText, clearReasonText, durationMs, raisedText } from './alarm-texts.ts'
import { useAlarm, useAlarmRules } from './use-alarms.ts'

/** One alarm: what is wrong, since when, how it developed, and what to do. */
export function AlarmPage() {
  const { alarmId } = useParams({ from: '/inside/alarms/$alarmId' })
  const alarm = useAlarm(alarmId)
  const rules = useAlarmRules()
  if (alarm.error instanceof NotFound) return <AlarmNotFound />
  if (alarm.isError && !alarm.data)
    return <Failure error={alarm.error} onRetry={() => void alarm.refetch()} />
  if (!alarm.data || rules.isPending) return <Loading what="alarm" />
  const rule = rules.data?.find(({ id }) => id === alarm.data.rule_id)
  // The key resets all state when another alarm is opened.
  return <Page key={alarmId} alarm={alarm.data} rule={rule} areRulesRead={rules.data !== undefined} />
}

interface PageProps {
  alarm: Alarm
  rule: AlarmRule | undefined
  /** If so, an alarm without a rule is one of a deleted rule. */
  areRulesRead: boolean
}

function Page({ alarm, rule, areRulesRead }: PageProps) {
  const me = useCurrentUser()
  return (
    <Box maw={1280}>
      <Stack gap="sm" px="lg" pt="md" pb="md">
        <Anchor size="sm" component={Link} to="/alarms" style={{ alignSelf: 'flex-start' }}>
          All alarms
        </Anchor>
        <Group justify="space-between" align="flex-start" gap="md">
          <Headline alarm={alarm} />
          {me.isOperator && <AlarmActions alarm={alarm} />}
        </Group>
      </Stack>
      <div className="access-point">
        <Stack gap="lg">
          <AlarmChart alarm={alarm} rule={rule} />
          <Advice alarm={alarm} />
          <Section title="Other alarms of this rule">
            <AlarmHistory alarm={alarm} />
          </Section>
        </Stack>
        <Stack gap="lg">
          <Section title="Details">
            <Details alarm={alarm} rule={rule} areRulesRead={areRulesRead} />
          </Section>
        </Stack>
      </div>
    </Box>
  )
}

function Headline({ alarm }: { alarm: Alarm }) {
  const now = useNow()
  const { severity, ap_id: apId, state } = alarm
  return (
    <Stack gap={4} style={{ minWidth: 0 }}>
      <Group gap="sm">
        <SeverityIcon severity={severity} isLabelled />
        <Title order={1} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {alarmTitle(alarm)}
        </Title>
        <Badge variant="default" radius="sm" tt="none">
          {severity}
        </Badge>
        <AlarmFacts alarm={alarm} />
      </Group>
      <Group gap="sm">
        <TechnologyIcon technology={alarm.technology} />
        <Anchor
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
          renderRoot={(props) => <Link to="/access-points/$apId" params={{ apId }} {...props} />}
        >
          {apId}
        </Anchor>
        <Text size="sm" fw={600} className="figures">
          {state === 'open' ? 'Open for ' : 'Cleared, lasted '}
          {formatDuration(durationMs(alarm, now))}
        </Text>
      </Group>
      {alarm.acknowledged_by !== null && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Acknowledged by {alarm.acknowledged_by}
          {alarm.comment ? `: ${alarm.comment}` : ''}
        </Text>
      )}
    </Stack>
  )
}

/** Rules without advice are those of your own with an expression. */
function Advice({ alarm: { rule_id: ruleId, metric } }: { alarm: Alarm }) {
  const advice = adviceOf(ruleId, metric)
  if (!advice) return null
  return (
    <Section title="What to do">
      <Text size="sm">{advice.meaning}</Text>
      <List size="sm" spacing={6}>
        {advice.steps.map((step) => (
          <List.Item key={step}>{step.replaceAll('`', '')}</List.Item>
        ))}
      </List>
    </Section>
  )
}

function Details({ alarm, rule, areRulesRead }: PageProps) {
  const facts: [string, ReactNode][] = [
    ['Raised', <Timestamp key="raised" ms={Date.parse(alarm.raised_at)} format={formatDateTime} />],
    ...(alarm.cleared_at === null
      ? []
      : ([
          [
            'Cleared',
            <>
              <Timestamp ms={Date.parse(alarm.cleared_at)} format={formatDateTime} />,{' '}
              {clearReasonText(alarm)}
            </>,
          ],
        ] satisfies [string, ReactNode][])),
    ...(alarm.acknowledged_at === null
      ? []
      : ([
          [
            'Acknowledged',
            <Timestamp key="ack" ms={Date.parse(alarm.acknowledged_at)} format={formatDateTime} />,
          ],
        ] satisfies [string, ReactNode][])),
    ['Assigned to', alarm.assignee ?? 'Not assigned'],
    ...(rule
      ? ([
          ['Raised when', raisedText(rule)],
          ['Cleared when', clearedText(rule)],
        ] satisfies [string, ReactNode][])
      : ([['Rule', areRulesRead ? 'Deleted' : 'Could not be read. Reload the page.']] satisfies [
          string,
          ReactNode,
        ][])),
    ['Alarm ID', alarm.id],
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

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Title order={2} size="h5">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  )
}

function AlarmNotFound() {
  return (
    <Empty title="Alarm not found">
      <Stack align="center" gap="md">
        <span>It was deleted after the retention time, or the address is wrong.</span>
        <Button component={Link} to="/alarms" variant="default">
          Go to alarms
        </Button>
      </Stack>
    </Empty>
  )
}
