import { randomUUID } from 'node:crypto'
import { toRecord } from './audit-record.format.ts'
import type { ExportStore } from './export.store.ts'
import type { AuditReceiver } from './receiver.types.ts'

const batchSize = 500
/** Longer than a batch takes. If the process fails, another one continues after this time. */
const leaseMs = 30_000

/**
 * Sends entries to the audit file and the syslog server. Entries are marked in the database when all receivers have them:
 * while a receiver is down they wait there, and after a failure some are sent twice.
 */
export class ExportService {
  readonly #store: ExportStore
  readonly #receivers: readonly AuditReceiver[]
  readonly #holder = randomUUID()

  constructor(deps: { store: ExportStore; receivers: readonly AuditReceiver[] }) {
    this.#store = deps.store
    this.#receivers = deps.receivers
  }

  /** Sends a batch. False if none is left, or if another process sends. */
  async runBatch(): Promise<boolean> {
    if (!(await this.#store.lease(this.#holder, leaseMs))) return false
    const rows = await this.#store.next(batchSize)
    if (rows.length === 0) return false
    const records = rows.map(toRecord)
    for (const receiver of this.#receivers) await receiver.send(records)
    await this.#store.finish(rows)
    return rows.length === batchSize
  }

  /** Another process may continue at once. */
  stop(): Promise<void> {
    return this.#store.release(this.#holder)
  }
}
