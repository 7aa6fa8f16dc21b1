import Type, { type Static } from 'typebox'
import { alarmSeverities } from './alarm-rules.ts'
import { operation } from './operation.ts'
import { Done, Nullable, oneOf, pageFields } from './schema.ts'
import { technologies } from './technologies.ts'

export const receiverTypes = ['email', 'webhook'] as const
export type ReceiverType = (typeof receiverTypes)[number]

export const groupings = ['rule', 'technology', 'severity', 'none'] as const
export type Grouping = (typeof groupings)[number]

export const deliveryStatuses = ['queued', 'sent', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const deliveryKinds = ['alarms', 'escalation', 'test'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

/** Without control characters: names are shown in e-mails. */
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
const Id = Type.String({ format: 'uuid' })

export const NotificationReceiverCreate = Type.Object(
  {
    name: Name,
    type: oneOf(receiverTypes, 'Cannot be changed later.'),
    addresses: Type.Optional(
      Type.Array(Type.String({ format: 'email', maxLength: 320 }), {
        default: [],
        maxItems: 20,
        description: 'Of `email`: the recipients, at least one.',
      }),
    ),
    url: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 2000,
          pattern: '^https?://[^\\u0000-\\u0020]+$',
          description:
            'Of `webhook`: where messages are posted, without user name and password. Private addresses are refused unless `MANC_WEBHOOK_PRIVATE` is `true`.',
        }),
      ),
    ),
    is_enabled: Type.Optional(Type.Boolean({ default: true })),
  },
  { title: 'NotificationReceiverCreate' },
)
export type NotificationReceiverCreate = Static<typeof NotificationReceiverCreate>

const receiverMembers = {
  id: Id,
  name: Type.String(),
  type: oneOf(receiverTypes),
  addresses: Type.Array(Type.String(), { description: 'Empty for a webhook.' }),
  url: Nullable(Type.String({ description: 'Null for e-mail.' })),
  is_enabled: Type.Boolean({ description: 'Nothing is sent to a receiver that is disabled.' }),
  updated_at: Type.String({ format: 'date-time' }),
  updated_by: Type.String(),
}

export const NotificationReceiver = Type.Object(receiverMembers, { title: 'NotificationReceiver' })
export type NotificationReceiver = Static<typeof NotificationReceiver>

export const NotificationReceiverWithSecret = Type.Object(
  {
    ...receiverMembers,
    secret: Nullable(
      Type.String({
        description:
          'Key of the signatures of a webhook. Returned only once; null for e-mail. Store it where the webhook is served.',
      }),
    ),
  },
  { title: 'NotificationReceiverWithSecret' },
)
export type NotificationReceiverWithSecret = Static<typeof NotificationReceiverWithSecret>

const TimeOfDay = (description: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description })
const Severities = (description: string, byDefault: readonly string[] = []) =>
  Type.Optional(
    Type.Array(oneOf(alarmSeverities), {
      default: [...byDefault],
      maxItems: alarmSeverities.length,
      description,
    }),
  )

export const QuietHours = Type.Object(
  {
    from: TimeOfDay('First minute, such as `22:00`.'),
    to: TimeOfDay('First minute after them, such as `06:00`. May be on the next day.'),
    time_zone: Type.String({
      maxLength: 64,
      pattern: '^[A-Za-z0-9_+/-]+$',
      description: 'Of the IANA database, such as `Europe/London`.',
    }),
    except: Severities('Severities that are sent anyway.', ['critical']),
  },
  {
    title: 'QuietHours',
    description: 'Other alarms wait until the end, and are left out if they are cleared by then.',
  },
)
export type QuietHours = Static<typeof QuietHours>

/** A day. */
const maxS = 86_400
const routeFilter = {
  severities: Severities('Only these severities. Empty: all.'),
  technologies: Type.Optional(
    Type.Array(oneOf(technologies), {
      default: [],
      maxItems: technologies.length,
      description: 'Only agents of these technologies. Empty: all.',
    }),
  ),
  ap_ids: Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Za-z0-9_:*-]{1,64}$' }), {
      default: [],
      maxItems: 100,
      description:
        'Only agents whose id matches one of these patterns; `*` matches any characters. Empty: all.',
    }),
  ),
  rule_ids: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\u0000]*$' }), {
      default: [],
      maxItems: 100,
      description: 'Only alarms of these rules. Empty: all.',
    }),
  ),
}

export const NotificationRouteCreate = Type.Object(
  {
    name: Name,
    receiver_id: Id,
    ...routeFilter,
    emulated: Type.Optional(
      Type.Unsafe<'none' | 'all'>({
        ...oneOf(['none', 'all'], 'Whether alarms of emulated agents are notified too.'),
        default: 'none',
      }),
    ),
    group_by: Type.Optional(
      Type.Unsafe<Grouping>({
        ...oneOf(
          groupings,
          'Which alarms share a message: those of one rule, technology or severity; with `none` all of the route.',
        ),
        default: 'rule',
      }),
    ),
    group_wait_s: Type.Optional(
      Type.Integer({
        default: 10,
        minimum: 0,
        maximum: 3600,
        description: 'Seconds for which the first alarm of a group waits for others.',
      }),
    ),
    group_interval_s: Type.Optional(
      Type.Integer({
        default: 300,
        minimum: 0,
        maximum: maxS,
        description: 'Minimum number of seconds between two messages of a group.',
      }),
    ),
    notify_cleared: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether a message is also sent when notified alarms are cleared.',
      }),
    ),
    escalate_after_s: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 7 * maxS,
          description:
            'An alarm that is still open and not acknowledged this long after its notification is sent to `escalate_to`, once.',
        }),
      ),
    ),
    escalate_to: Type.Optional(Nullable(Type.String({ format: 'uuid', description: 'Id of a receiver.' }))),
    quiet_hours: Type.Optional(Nullable(QuietHours)),
    is_enabled: Type.Optional(Type.Boolean({ default: true })),
  },
  { title: 'NotificationRouteCreate' },
)
export type NotificationRouteCreate = Static<typeof NotificationRouteCreate>

export const NotificationRoute = Type.Object(
  {
    id: Id,
    name: Type.String(),
    receiver_id: Id,
    severities: Type.Array(oneOf(alarmSeverities)),
    technologies: Type.Array(oneOf(technologies)),
    ap_ids: Type.Array(Type.String()),
    rule_ids: Type.Array(Type.String()),
    emulated: oneOf(['none', 'all']),
    group_by: oneOf(groupings),
    group_wait_s: Type.Integer(),
    group_interval_s: Type.Integer(),
    notify_cleared: Type.Boolean(),
    escalate_after_s: Nullable(Type.Integer()),
    escalate_to: Nullable(Id),
    quiet_hours: Nullable(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        time_zone: Type.String(),
        except: Type.Array(oneOf(alarmSeverities)),
      }),
    ),
    is_enabled: Type.Boolean(),
    updated_at: Type.String({ format: 'date-time' }),
    updated_by: Type.String(),
  },
  { title: 'NotificationRoute' },
)
export type NotificationRoute = Static<typeof NotificationRoute>

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
  attempts: Type.Integer(),
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

const Named = Type.Object({ id: Type.String({ maxLength: 64 }) })
const tag = 'Notifications'

export const notificationOperations = {
  listNotificationReceivers: operation({
    id: 'listNotificationReceivers',
    method: 'GET',
    path: '/api/v1/notification_receivers',
    tag,
    summary: 'List the receivers of notifications',
    auth: 'bearer',
    response: Type.Array(NotificationReceiver),
    refusals: [401, 403, 429, 503],
    sdk: 'notifications.receivers',
  }),
  createNotificationReceiver: operation({
    id: 'createNotificationReceiver',
    method: 'POST',
    path: '/api/v1/notification_receivers',
    tag,
    summary: 'Create a receiver',
    description: 'The response has the secret of a webhook. It is returned only once.',
    auth: 'bearer',
    body: NotificationReceiverCreate,
    response: NotificationReceiverWithSecret,
    refusals: [401, 403, 409, 429, 503],
    sdk: 'notifications.createReceiver',
  }),
  updateNotificationReceiver: operation({
    id: 'updateNotificationReceiver',
    method: 'PUT',
    path: '/api/v1/notification_receivers/{id}',
    tag,
    summary: 'Replace a receiver',
    description: 'Its type and the secret of a webhook stay the same.',
    auth: 'bearer',
    params: Named,
    body: NotificationReceiverCreate,
    response: NotificationReceiver,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'notifications.updateReceiver',
  }),
  deleteNotificationReceiver: operation({
    id: 'deleteNotificationReceiver',
    method: 'DELETE',
    path: '/api/v1/notification_receivers/{id}',
    tag,
    summary: 'Delete a receiver that no route uses',
    description: 'Messages that are queued for it are not sent.',
    auth: 'bearer',
    params: Named,
    response: Done,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'notifications.removeReceiver',
  }),
  rotateNotificationSecret: operation({
    id: 'rotateNotificationSecret',
    method: 'POST',
    path: '/api/v1/notification_receivers/{id}/rotate_secret',
    tag,
    summary: 'Replace the secret of a webhook',
    description: 'Messages are signed with the new secret from now on, also those that are queued.',
    auth: 'bearer',
    params: Named,
    response: NotificationReceiverWithSecret,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'notifications.rotateSecret',
  }),
  testNotificationReceiver: operation({
    id: 'testNotificationReceiver',
    method: 'POST',
    path: '/api/v1/notification_receivers/{id}/test',
    tag,
    summary: 'Send a test message',
    description: 'The message is queued. Read the delivery to see its result.',
    auth: 'bearer',
    params: Named,
    response: NotificationDelivery,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'notifications.test',
  }),
  listNotificationRoutes: operation({
    id: 'listNotificationRoutes',
    method: 'GET',
    path: '/api/v1/notification_routes',
    tag,
    summary: 'List the routes: which alarms are sent to which receiver',
    auth: 'bearer',
    response: Type.Array(NotificationRoute),
    refusals: [401, 403, 429, 503],
    sdk: 'notifications.routes',
  }),
  createNotificationRoute: operation({
    id: 'createNotificationRoute',
    method: 'POST',
    path: '/api/v1/notification_routes',
    tag,
    summary: 'Create a route',
    description: 'It applies to alarms that are raised from now on.',
    auth: 'bearer',
    body: NotificationRouteCreate,
    response: NotificationRoute,
    refusals: [401, 403, 409, 429, 503],
    sdk: 'notifications.createRoute',
  }),
  updateNotificationRoute: operation({
    id: 'updateNotificationRoute',
    method: 'PUT',
    path: '/api/v1/notification_routes/{id}',
    tag,
    summary: 'Replace a route',
    auth: 'bearer',
    params: Named,
    body: NotificationRouteCreate,
    response: NotificationRoute,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'notifications.updateRoute',
  }),
  deleteNotificationRoute: operation({
    id: 'deleteNotificationRoute',
    method: 'DELETE',
    path: '/api/v1/notification_routes/{id}',
    tag,
    summary: 'Delete a route',
    description:
      'Alarms that wait for a message of the route are left out. Messages that are queued are sent.',
    auth: 'bearer',
    params: Named,
    response: Done,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'notifications.removeRoute',
  }),
  listNotificationDeliveries: operation({
    id: 'listNotificationDeliveries',
    method: 'GET',
    path: '/api/v1/notification_deliveries',
    tag,
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
    tag,
    summary: 'Get one message, with its alarms',
    auth: 'bearer',
    params: Named,
    response: NotificationDeliveryDetail,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'notifications.delivery',
  }),
  retryNotificationDelivery: operation({
    id: 'retryNotificationDelivery',
    method: 'POST',
    path: '/api/v1/notification_deliveries/{id}/retry',
    tag,
    summary: 'Send a failed message again',
    description: 'It is queued again, with the same id.',
    auth: 'bearer',
    params: Named,
    response: NotificationDelivery,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'notifications.retry',
  }),
}
