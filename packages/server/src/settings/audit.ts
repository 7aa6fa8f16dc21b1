import Type from 'typebox'
import { count, limit } from './kinds.ts'

/** The audit log. */
export const auditSettings = {
  MANC_AUDIT_DAYS: count(400, 'Retention of the audit log in days.'),
  MANC_AUDIT_PATH: Type.Optional(
    Type.String({
      description:
        'File to which all audit entries are appended as JSON lines, by one `subscriber` at a time. It may be renamed by log rotation at any time.',
    }),
  ),
  MANC_AUDIT_SYSLOG_URL: Type.Optional(
    Type.String({
      pattern: '^(udp|tcp|tls)://[^\\s]+$',
      description:
        'Syslog server (RFC 5424) that gets all audit entries, for example `tls://logs.example.org:6514`. Entries wait in the database while it does not respond; over `udp` they may be lost.',
    }),
  ),
  MANC_AUDIT_ENTRIES_PER_MINUTE: limit(
    1000,
    { owner: 'user, app, agent or address', response: 'further entries are one per action, with a count' },
    'Maximum number of audit entries of one caller per minute, per replica. All failed logins together count as one caller.',
  ),
}
