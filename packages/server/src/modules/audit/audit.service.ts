import type { AuditFilter, AuditRow, AuditStore } from './audit.store.ts'

/** As the database numbers its rows. */
const isNumber = /^\d{1,18}$/

/** The record of changes, for those who read it. */
export class AuditService {
  readonly #store: AuditStore

  constructor(store: AuditStore) {
    this.#store = store
  }

  /** Nothing comes after a row that there is not: what was older than a swept one is swept too. */
  async page(filter: AuditFilter, after: string | undefined, limit: number): Promise<AuditRow[]> {
    if (after !== undefined && !isNumber.test(after)) return []
    return this.#store.page(filter, after, limit)
  }
}
