import Type, { type Static } from 'typebox'
import { alarmSeverities } from './alarm-rules.ts'
import { Id, NotificationPath, notificationTag } from './notification-fields.ts'
import { receiverTypes } from './notification-receivers.ts'
import { operation } from './operation.ts'
import { Nullable, oneOf, pageFields } from './schema.ts'

export const deliveryStatuses = ['queued', 'sent', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const deliveryKinds = ['alarms', 'escalation', 'test'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

const deliveryMembers = {
  id: Type.String({
    format: 'uuid',
    description: 'Also the header `x-manc-delivery` of a webhook, of every attempt.',
  }),
  kind: oneOf(deliveryKinds),
  receiver_id: Id,
  receiver: Type.String({ description: 'Name of the receiver when the message was queued.' }),
  type: oneOf(receiverTypes),
  route_id: Nullable(Id),
  route: Nullable(Type.String({ description: 'Name of the route. Null for a test.' })),
  subject: Type.String({ description: 'One line. Subject of the e-mail.' }),
  raised: Type.Integer({ description: 'Number of alarms in it that are open.' }),
  cleared: Type.Integer({ description: 'Number of alarms in it that are cleared.' }),
  status: oneOf(deliveryStatuses, '`queued` until it is sent, or given up as `failed`.'),
  attempts: Type.Integer({ description: 'Since it was created, or last sent again on request.' }),
  created_at: Type.String({ format: 'date-time' }),
  next_attempt_at: Nullable(Type.String({ format: 'date-time' })),
  sent_at: Nullable(Type.String({ format: 'date-time' })),
  status_code: Nullable(Type.Integer({ description: 'Of the last response of a webhook.' })),
  error: Nullable(Type.String({ description: 'Why the last attempt failed.' })),
}

export const NotificationDelivery = Type.Object(deliveryMembers, { title: 'NotificationDelivery' })
export type NotificationDelivery = Static<typeof NotificationDelivery>

export const NotificationDeliveryDetail = Type.Object(
  {
    ...deliveryMembers,
    alarms: Type.Array(
      Type.Object({
        id: Type.String(),
        state: oneOf(['open', 'cleared']),
        rule_id: Type.String(),
        rule: Type.String(),
        severity: oneOf(alarmSeverities),
        ap_id: Type.String(),
        technology: Type.String(),
        value: Nullable(Type.Number()),
        is_flapping: Type.Boolean(),
        raised_at: Type.String({ format: 'date-time' }),
        cleared_at: Nullable(Type.String({ format: 'date-time' })),
      }),
      { description: 'At most 100; `raised` and `cleared` count all.' },
    ),
  },
  { title: 'NotificationDeliveryDetail' },
)
export type NotificationDeliveryDetail = Static<typeof NotificationDeliveryDetail>

export const notificationDeliveryOperations = {
  testNotificationReceiver: operation({
    id: 'testNotificationReceiver',
    method: 'POST',
    path: '/api/v1/notification_receivers/{id}/test',
    tag: notificationTag,
    summary: 'Send a test message',
    description: 'The message is queued. Read the delivery to see its result.',
    auth: 'bearer',
    params: NotificationPath,
    response: NotificationDelivery,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'notifications.test',
  }),
  listNotificationDeliveries: operation({
    id: 'listNotificationDeliveries',
    method: 'GET',
    path: '/api/v1/notification_deliveries',
    tag: notificationTag,
    summary: 'List messages and whether they were sent, newest first',
    description: 'A `Link` header points to the next page.',
    auth: 'bearer',
    query: Type.Object({
      receiver: Type.Optional(
        Type.String({ maxLength: 64, description: 'Only messages to the receiver with this id.' }),
      ),
      status: Type.Optional(oneOf(deliveryStatuses, 'Only messages with this status.')),
      ...pageFields,
    }),
    response: Type.Array(NotificationDelivery),
    refusals: [401, 403, 429, 503],
    sdk: 'notifications.deliveries',
  }),
  getNotificationDelivery: operation({
    id: 'getNotificationDelivery',
    method: 'GET',
    path: '/api/v1/notification_deliveries/{id}',
    tag: notificationTag,
    summary: 'Get one message, with its alarms',
    auth: 'bearer',
    params: NotificationPath,
    response: NotificationDeliveryDetail,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'notifications.delivery',
  }),
  retryNotificationDelivery: operation({
    id: 'retryNotificationDelivery',
    method: 'POST',
    path: '/api/v1/notification_deliveries/{id}/retry',
    tag: notificationTag,
    summary: 'Send a failed message again',
    description: 'It is queued again, with the same id.',
    auth: 'bearer',
    params: NotificationPath,
    response: NotificationDelivery,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'notifications.retry',
  }),
}
