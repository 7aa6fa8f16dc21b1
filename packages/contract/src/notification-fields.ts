import Type from 'typebox'

/** Parts of the schemas of receivers, routes and deliveries. */

/** Without control characters: names are shown in e-mails. */
export const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
export const Id = Type.String({ format: 'uuid' })
export const NotificationPath = Type.Object({ id: Type.String({ maxLength: 64 }) })
export const notificationTag = 'Notifications'
