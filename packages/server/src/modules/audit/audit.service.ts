import type { AuditAction } from '@manc/contract'
import type { Actor } from '../../actor.ts'
import type { Executor } from '../../engines/postgres.ts'
import { type AuditFilter, type AuditRow, type AuditStore, insertAuditRow } from './audit.store.ts'

/** What changed. `detail` has field names and public values only, never a secret. */
interface AuditEntry {
  action: AuditAction
  target: string
  detail?: Record<string, unknown>
}

/** Called in the transaction of the change, so that the entry is committed with it or not at all. */
export async function recordAudit(tx: Executor, by: Actor, entry: AuditEntry): Promise<void> {
  await insertAuditRow(tx, {
    actorKind: by.kind,
    actor: by.name,
    action: entry.action,
    target: entry.target,
    detail: entry.detail ?? {},
    requestId: by.requestId ?? null,
  })
}

/** An id as the database generates it. */
const rowId = /^\d{1,18}$/

/** Reads the audit log and enforces its retention. */
export class AuditService {
  readonly #store: AuditStore
  readonly #retentionDays: number

  constructor(deps: { store: AuditStore; retentionDays: number }) {
    this.#store = deps.store
    this.#retentionDays = deps.retentionDays
  }

  /** Empty after an unknown id: rows that were older than a deleted one are deleted as well. */
  async page(filter: AuditFilter, after: string | undefined, limit: number): Promise<AuditRow[]> {
    if (after !== undefined && !rowId.test(after)) return []
    return this.#store.page(filter, after, limit)
  }

  sweep(): Promise<void> {
    return this.#store.deleteOlderThan(this.#retentionDays)
  }
}
