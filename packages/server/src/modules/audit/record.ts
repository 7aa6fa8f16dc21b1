import type { AuditAction } from '@manc/contract'
import type { Actor } from '../../actor.ts'
import { type Executor, sql } from '../../engines/postgres.ts'

/** Names what changed and by whom, never a secret: `detail` holds field names and public values only. */
interface AuditEntry {
  action: AuditAction
  target: string
  detail?: Record<string, unknown>
}

/** Written in the transaction of the change itself: neither is there without the other. */
export async function recordAudit(tx: Executor, by: Actor, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit')
    .values({
      actor_kind: by.kind,
      actor: by.name,
      action: entry.action,
      target: entry.target,
      detail: JSON.stringify(entry.detail ?? {}),
      request_id: by.requestId ?? null,
    })
    .execute()
}

export async function dropOldAudit(db: Executor, days: number): Promise<void> {
  await sql`delete from audit where at < now() - make_interval(days => ${days})`.execute(db)
}
