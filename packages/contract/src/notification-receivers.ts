import Type, { type Static } from 'typebox'
import { Id, Name, NotificationPath, notificationTag } from './notification-fields.ts'
import { operation } from './operation.ts'
import { Done, Nullable, oneOf } from './schema.ts'

export const receiverTypes = ['email', 'webhook'] as const
export type ReceiverType = (typeof receiverTypes)[number]

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

export const notificationReceiverOperations = {
  listNotificationReceivers: operation({
    id: 'listNotificationReceivers',
    method: 'GET',
    path: '/api/v1/notification_receivers',
    tag: notificationTag,
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
    tag: notificationTag,
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
    tag: notificationTag,
    summary: 'Replace a receiver',
    description: 'Its type and the secret of a webhook stay the same.',
    auth: 'bearer',
    params: NotificationPath,
    body: NotificationReceiverCreate,
    response: NotificationReceiver,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'notifications.updateReceiver',
  }),
  deleteNotificationReceiver: operation({
    id: 'deleteNotificationReceiver',
    method: 'DELETE',
    path: '/api/v1/notification_receivers/{id}',
    tag: notificationTag,
    summary: 'Delete a receiver that no route uses',
    description: 'Messages that are queued for it are not sent.',
    auth: 'bearer',
    params: NotificationPath,
    response: Done,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'notifications.removeReceiver',
  }),
  rotateNotificationSecret: operation({
    id: 'rotateNotificationSecret',
    method: 'POST',
    path: '/api/v1/notification_receivers/{id}/rotate_secret',
    tag: notificationTag,
    summary: 'Replace the secret of a webhook',
    description: 'Messages are signed with the new secret from now on, also those that are queued.',
    auth: 'bearer',
    params: NotificationPath,
    response: NotificationReceiverWithSecret,
    refusals: [401, 403, 404, 409, 429, 503],
    sdk: 'notifications.rotateSecret',
  }),
}
