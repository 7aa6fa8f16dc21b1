import type { AuditRecord } from '@manc/contract'
import type { AuditRow } from './audit.store.ts'

/** As the API, the file and the syslog server get it. */
export const toRecord = (row: AuditRow): AuditRecord => ({
  id: row.id,
  at: row.at.toISOString(),
  actor_kind: row.actorKind,
  actor: row.actor,
  action: row.action,
  target: row.target,
  detail: row.detail,
  request_id: row.requestId,
})
