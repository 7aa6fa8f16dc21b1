import type { AuditAction, AuditRecord } from '@manc/contract'
import type { Actor } from '../../actor.ts'
import type { Executor } from '../../engines/postgres.ts'
import {
  type AuditFilter,
  type AuditRow,
  type AuditStore,
  countAuditRow,
  insertAuditRow,
} from './audit.store.ts'
import { toRecord } from './audit-record.format.ts'
import { currentMinute, entryQuota } from './entry-quota.service.ts'

/** What changed. `detail` has field names and public values only, never a secret. */
interface AuditEntry {
  action: AuditAction
  target: string
  detail?: Record<string, unknown>
}

/** Entries beyond the quota of an actor are counted in one of this many rows: transactions wait for each other's row. */
const countingRows = 4

/**
 * Called in the transaction of the change, so that the entry is committed with it or not at all. Entries of an actor beyond
 * MANC_AUDIT_ENTRIES_PER_MINUTE are counted per action and minute, without their targets.
 */
export async function recordAudit(tx: Executor, by: Actor, entry: AuditEntry): Promise<void> {
  const row = { actorKind: by.kind, actor: by.name, action: entry.action }
  if (entryQuota.take(`${by.kind} ${by.name}`)) {
    const { target, detail = {} } = entry
    await insertAuditRow(tx, { ...row, target, detail, requestId: by.requestId ?? null })
    return
  }
  const part = Math.floor(Math.random() * countingRows)
  const key = JSON.stringify([row, currentMinute(), part])
  await countAuditRow(tx, { ...row, target: '*', detail: {}, requestId: null }, key)
}

const exportPageSize = 1000

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

  /** All matching entries, in pages. */
  async *all(filter: AuditFilter): AsyncGenerator<AuditRecord[]> {
    for (let after: string | undefined; ; ) {
      const page = await this.#store.page(filter, after, exportPageSize)
      yield page.map(toRecord)
      if (page.length < exportPageSize) return
      after = page.at(-1)?.id
    }
  }

  sweep(): Promise<void> {
    return this.#store.deleteOlderThan(this.#retentionDays)
  }
}
