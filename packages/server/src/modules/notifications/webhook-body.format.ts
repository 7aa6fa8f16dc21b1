import { createHash, createHmac } from 'node:crypto'
import { labelsOf } from './message.format.ts'
import type { DeliveryWithContent, ReportedAlarm } from './notifications.types.ts'

/** As Alertmanager shows the end of an alert that is firing. */
const noTime = '0001-01-01T00:00:00Z'

/** The body of a webhook in the format of Alertmanager, version 4. */
export function webhookBody(delivery: DeliveryWithContent, publicUrl: string): string {
  const { content, kind, raised, cleared } = delivery
  const externalURL = publicUrl.replace(/\/$/, '')
  return JSON.stringify({
    version: '4',
    groupKey: `${kind}:${delivery.routeId ?? ''}:${delivery.groupKey ?? ''}`,
    truncatedAlerts: raised + cleared - content.alarms.length,
    status: raised > 0 || kind === 'test' ? 'firing' : 'resolved',
    receiver: delivery.receiverName,
    groupLabels: content.groupLabels,
    commonLabels: kind === 'test' ? testLabels : content.commonLabels,
    commonAnnotations: {},
    externalURL,
    alerts:
      kind === 'test'
        ? [testAlert(delivery, externalURL)]
        : content.alarms.map((alarm) => alertOf(alarm, externalURL)),
  })
}

const testLabels = { alertname: 'Test', severity: 'info' }

const testAlert = ({ id, createdAt, subject }: DeliveryWithContent, externalURL: string) => ({
  status: 'firing',
  labels: testLabels,
  annotations: { summary: subject },
  startsAt: createdAt.toISOString(),
  endsAt: noTime,
  generatorURL: externalURL,
  fingerprint: fingerprintOf(id),
})

const alertOf = (alarm: ReportedAlarm, externalURL: string) => ({
  status: alarm.cleared_at === null ? 'firing' : 'resolved',
  labels: labelsOf(alarm),
  annotations: {
    summary: `${alarm.rule}: ${alarm.ap_id}${alarm.is_flapping ? ' (flapping)' : ''}`,
    ...(alarm.value !== null && { value: String(alarm.value) }),
    ...(alarm.is_flapping && { flapping: 'true' }),
  },
  startsAt: alarm.raised_at,
  endsAt: alarm.cleared_at ?? noTime,
  generatorURL: `${externalURL}/alarms/${alarm.id}`,
  fingerprint: fingerprintOf(`${alarm.rule_id} ${alarm.ap_id}`),
})

/** The same for all alarms of a rule and an access point. */
const fingerprintOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** The time is signed too, so that a receiver can refuse a message that was recorded and is sent again. */
export function signedHeaders(
  deliveryId: string,
  body: string,
  { secret, timestampS }: { secret: string; timestampS: number },
): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${timestampS}.${body}`).digest('hex')
  return {
    'content-type': 'application/json',
    'user-agent': 'manc',
    'x-manc-delivery': deliveryId,
    'x-manc-timestamp': String(timestampS),
    'x-manc-signature': `v1=${signature}`,
  }
}
