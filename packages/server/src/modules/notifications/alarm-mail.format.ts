import type { Message } from '../../engines/mail.ts'
import { oneLine } from './message.format.ts'
import type { LeasedDelivery, ReportedAlarm } from './notifications.types.ts'

/** Plain text. */
export function alarmMail(delivery: LeasedDelivery, publicUrl: string): Message {
  const { id, kind, subject, receiver } = delivery
  return {
    to: receiver.addresses,
    // Without control characters also if it was stored by another version.
    subject: oneLine(subject),
    text: (kind === 'test' ? testLines(delivery) : alarmLines(delivery, publicUrl.replace(/\/$/, ''))).join(
      '\n',
    ),
    id,
  }
}

const testLines = ({ receiver }: LeasedDelivery) => [
  `This is a test message to the receiver "${oneLine(receiver.name)}". E-mails of alarms will arrive here.`,
  '',
]

function alarmLines(delivery: LeasedDelivery, baseUrl: string): string[] {
  const { content, raised, cleared, kind, routeName } = delivery
  const open = content.alarms.filter(({ state }) => state === 'open')
  const ended = content.alarms.filter(({ state }) => state === 'cleared')
  const severities = Object.entries(content.severities).map(([severity, count]) => `${count} ${severity}`)
  const more = raised + cleared - content.alarms.length
  return [
    ...(kind === 'escalation' && raised > 0
      ? ['These alarms are open and were not acknowledged since their first message.', '']
      : []),
    ...(raised > 0 ? [`${raised} open (${severities.join(', ')}):`, ...open.map(lineOf), ''] : []),
    ...(cleared > 0 ? [`${cleared} cleared:`, ...ended.map(lineOf), ''] : []),
    ...(more > 0 ? [`and ${more} more`, ''] : []),
    `Alarms: ${baseUrl}/alarms`,
    `Sent by the route "${oneLine(routeName ?? '')}" of MANC.`,
    '',
  ]
}

const lineOf = (alarm: ReportedAlarm): string =>
  [
    `  ${alarm.ap_id} (${alarm.technology}): ${oneLine(alarm.rule)}`,
    ...(alarm.value === null ? [] : [`value ${alarm.value}`]),
    ...(alarm.is_flapping ? ['flapping'] : []),
    `since ${alarm.raised_at}`,
    ...(alarm.cleared_at === null ? [] : [`cleared ${alarm.cleared_at}`]),
  ].join(', ')
