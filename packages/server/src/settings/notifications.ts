import Type from 'typebox'
import { count, limit, retryLater } from './kinds.ts'

/** Messages about alarms. */
export const notificationSettings = {
  MANC_NOTIFICATION_RECEIVERS: limit(
    50,
    { owner: 'installation', response: '409' },
    'Maximum number of receivers of notifications.',
  ),
  MANC_NOTIFICATION_ROUTES: limit(
    100,
    { owner: 'installation', response: '409' },
    'Maximum number of routes of notifications.',
  ),
  MANC_NOTIFICATIONS_PER_HOUR: limit(
    120,
    { owner: 'receiver', response: 'alarms wait, and share a later message' },
    'Maximum number of messages to one receiver per hour, without tests.',
  ),
  MANC_NOTIFICATION_TESTS_PER_HOUR: limit(
    30,
    { owner: 'receiver', response: retryLater },
    'Maximum number of test messages to one receiver per hour.',
  ),
  MANC_NOTIFICATION_HOURS: count(24, 'Hours for which a message that could not be sent is sent again.'),
  MANC_NOTIFICATION_DAYS: count(30, 'Retention of messages in days.'),
  MANC_WEBHOOK_PRIVATE: Type.Enum(['false', 'true'], {
    default: 'false',
    description:
      '`true`: webhooks may be at private, loopback and link-local addresses. Every administrator can then send requests from the controller into its network.',
  }),
}
