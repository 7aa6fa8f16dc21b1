import Type from 'typebox'
import { count, limit, seconds, secret } from './kinds.ts'

/** Alarms and the evaluation of their rules. */
export const alarmSettings = {
  MANC_ALARM_RULES: limit(
    200,
    { owner: 'installation', response: '409' },
    'Maximum number of rules of alarms, without the built-in ones.',
  ),
  MANC_ALARM_INTERVAL_SECONDS: seconds(15, 'Interval at which `vmalert` evaluates the rules of alarms.'),
  MANC_ALARM_LOOKBACK_SECONDS: seconds(
    120,
    'Maximum age of a sample that the rules of KPIs evaluate. An older one is missing data.',
  ),
  MANC_ALARM_FLAPPING: count(5, 'An alarm that is raised more often than this within an hour is flapping.'),
  MANC_ALARM_DAYS: count(90, 'Retention of cleared alarms and of silences that have ended, in days.'),
  MANC_SILENCES: limit(
    1000,
    { owner: 'installation', response: '409' },
    'Maximum number of silences and maintenance windows that have not ended.',
  ),
  MANC_SILENCES_PER_OWNER: limit(
    200,
    { owner: 'user or app', response: '409' },
    'Maximum number of silences that a user or an app has created and that have not ended.',
  ),
  MANC_SILENCE_PATTERNS: limit(
    5000,
    { owner: 'installation', response: '409' },
    'Maximum number of id patterns of all silences that have not ended. Each alarm that is read or notified is compared with them.',
  ),
  MANC_SILENCE_PATTERNS_PER_OWNER: limit(
    2000,
    { owner: 'user or app', response: '409' },
    'Maximum number of id patterns of the silences that a user or an app has created and that have not ended.',
  ),
  MANC_ALARM_SECRET: Type.Optional(
    secret(
      'Password with which `vmalert` sends alerts to the internal listener (`-notifier.basicAuth.passwordFile`). Without it, only a `vmalert` on this machine can read rules and send alerts.',
    ),
  ),
  MANC_VMALERT_RULES_PATH: Type.Optional(
    Type.String({
      description:
        'File to which the subscriber role writes the rules, for a `vmalert` that cannot read them from `/alarms/rules.yml` of the internal listener (1.79 of Debian 12).',
    }),
  ),
}
