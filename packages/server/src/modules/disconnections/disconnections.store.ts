import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { isNextDue } from '../../engines/postgres.lease.ts'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'

export interface Disconnection {
  id: string
  apId: string
}

interface Delay {
  delayMs: number
  isUrgent: boolean
}

/** The only writer of the table `disconnections`. */
export class DisconnectionStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async add(tx: Executor, apId: string, { delayMs, isUrgent }: Delay): Promise<void> {
    await sql`
      insert into disconnections (ap_id, next_attempt_at, is_urgent)
      values (${apId}, now() + make_interval(secs => ${delayMs / 1000}), ${isUrgent})`.execute(tx)
  }

  /** The urgent ones first. Leased for `leaseMs`: if the replica fails, they are due again after that. */
  async leaseDue(limit: number, leaseMs: number): Promise<Disconnection[]> {
    const { rows } = await sql<Disconnection>`
      update disconnections set next_attempt_at = now() + make_interval(secs => ${leaseMs / 1000})
      where ${isNextDue({ table: 'disconnections', key: 'id', dueAt: 'next_attempt_at', first: 'is_urgent', limit })}
      returning id, ap_id as "apId"`.execute(this.#postgres.db)
    return rows
  }

  async finish(id: string): Promise<void> {
    await sql`delete from disconnections where id = ${id}`.execute(this.#postgres.db)
  }

  /** Deletes what has been due for a day: without a management URL no replica runs them. */
  async sweep(): Promise<void> {
    await deleteInBatches(
      this.#postgres.db,
      'disconnections',
      sql`next_attempt_at < now() - interval '1 day'`,
    )
  }
}
