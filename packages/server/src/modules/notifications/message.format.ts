import { type AlarmSeverity, alarmSeverities, type DeliveryKind, type Grouping } from '@manc/contract'
import type { AlarmRow } from '../alarms/index.ts'
import type { Content, NewDelivery, ReportedAlarm } from './notifications.types.ts'

/** In a message. The others are counted. */
const maxListed = 100
const maxSubject = 200

type Message = Pick<NewDelivery, 'subject' | 'raised' | 'cleared' | 'content'>

export const testContent: Content = { groupLabels: {}, commonLabels: {}, severities: {}, alarms: [] }

/** Which group of a route an alarm is in. */
export const groupKeyOf = (
  groupBy: Grouping,
  { ruleId, technology, severity }: Pick<AlarmRow, 'ruleId' | 'technology' | 'severity'>,
): string => {
  switch (groupBy) {
    case 'rule':
      return `rule:${ruleId}`
    case 'technology':
      return `technology:${technology}`
    case 'severity':
      return `severity:${severity}`
    case 'none':
      return ''
  }
}

/** The message about these alarms, at least one, of one group. */
export function messageOf(alarms: readonly AlarmRow[], groupBy: Grouping, kind: DeliveryKind): Message {
  // Open alarms first, the most severe first: those are listed.
  const ordered = alarms.toSorted(
    (a, b) =>
      +(a.clearedAt !== null) - +(b.clearedAt !== null) || rankOf(b) - rankOf(a) || +a.raisedAt - +b.raisedAt,
  )
  const open = ordered.filter(({ clearedAt }) => clearedAt === null)
  const common = commonLabels(ordered)
  const groupLabels = groupBy === 'none' ? {} : pick(common, labelsOfGroup[groupBy])
  return {
    subject: subjectOf(ordered, open, kind),
    raised: open.length,
    cleared: ordered.length - open.length,
    content: {
      groupLabels,
      commonLabels: common,
      severities: countsOf(open),
      alarms: ordered.slice(0, maxListed).map(reported),
    },
  }
}

const rankOf = ({ severity }: { severity: AlarmSeverity }): number => alarmSeverities.indexOf(severity)

const labelsOfGroup: Record<Exclude<Grouping, 'none'>, readonly string[]> = {
  rule: ['alertname', 'rule_id'],
  technology: ['technology'],
  severity: ['severity'],
}

const pick = (labels: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name)))

export const labelsOf = ({ rule, ap_id, severity, technology, rule_id }: Omit<ReportedAlarm, 'id'>) => ({
  alertname: rule,
  ap_id,
  severity,
  technology,
  rule_id,
})

function commonLabels(alarms: readonly AlarmRow[]): Record<string, string> {
  const [first, ...others] = alarms.map((alarm) => labelsOf(reported(alarm)))
  const common = Object.entries(first ?? {}).filter(([name, value]) =>
    others.every((labels) => labels[name as keyof typeof labels] === value),
  )
  return Object.fromEntries(common)
}

function countsOf(open: readonly AlarmRow[]): Content['severities'] {
  const counts: Content['severities'] = {}
  for (const { severity } of open) counts[severity] = (counts[severity] ?? 0) + 1
  return counts
}

const reported = (alarm: AlarmRow): ReportedAlarm => ({
  id: alarm.id,
  state: alarm.clearedAt ? 'cleared' : 'open',
  rule_id: alarm.ruleId,
  rule: alarm.ruleName,
  severity: alarm.severity,
  ap_id: alarm.apId,
  technology: alarm.technology,
  value: alarm.value,
  is_flapping: alarm.isFlapping,
  raised_at: alarm.raisedAt.toISOString(),
  cleared_at: alarm.clearedAt?.toISOString() ?? null,
})

/** `[critical] Load is bad: 3 access points, 2 cleared` */
function subjectOf(all: readonly AlarmRow[], open: readonly AlarmRow[], kind: DeliveryKind): string {
  const label = open[0]?.severity ?? 'cleared'
  const prefix = kind === 'escalation' && open.length > 0 ? 'Not acknowledged: ' : ''
  const cleared = open.length > 0 && open.length < all.length ? `, ${all.length - open.length} cleared` : ''
  const named = open.length > 0 ? open : all
  return oneLine(`[${label}] ${prefix}${rulesText(named)}: ${agentsText(named)}${cleared}`, maxSubject)
}

function rulesText(alarms: readonly AlarmRow[]): string {
  const names = new Set(alarms.map(({ ruleName }) => ruleName))
  const [name = ''] = names
  return names.size === 1 ? name : `${names.size} rules`
}

function agentsText(alarms: readonly AlarmRow[]): string {
  const ids = new Set(alarms.map(({ apId }) => apId))
  const [id = ''] = ids
  return ids.size === 1 ? id : `${ids.size} access points`
}

/** Names of rules are texts of users: without control characters they cannot add a line, also not to a header. */
export const oneLine = (text: string, maxLength = 500): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
