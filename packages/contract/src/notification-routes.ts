import Type, { type Static } from 'typebox'
import { agentScope } from './agent-scope.ts'
import { alarmSeverities } from './alarm-rules.ts'
import { Id, Name, NotificationPath, notificationTag } from './notification-fields.ts'
import { operation } from './operation.ts'
import { Done, Nullable, oneOf } from './schema.ts'
import { technologies } from './technologies.ts'

export const groupings = ['rule', 'technology', 'severity', 'none'] as const
export type Grouping = (typeof groupings)[number]

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
  ...agentScope,
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

export const notificationRouteOperations = {
  listNotificationRoutes: operation({
    id: 'listNotificationRoutes',
    method: 'GET',
    path: '/api/v1/notification_routes',
    tag: notificationTag,
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
    tag: notificationTag,
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
    tag: notificationTag,
    summary: 'Replace a route',
    auth: 'bearer',
    params: NotificationPath,
    body: NotificationRouteCreate,
    response: NotificationRoute,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'notifications.updateRoute',
  }),
  deleteNotificationRoute: operation({
    id: 'deleteNotificationRoute',
    method: 'DELETE',
    path: '/api/v1/notification_routes/{id}',
    tag: notificationTag,
    summary: 'Delete a route',
    description:
      'Alarms that wait for a message of the route are left out. Messages that are queued are sent.',
    auth: 'bearer',
    params: NotificationPath,
    response: Done,
    refusals: [401, 403, 404, 429, 503],
    sdk: 'notifications.removeRoute',
  }),
}
