import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { type Postgres, sql, type Tx } from '../../engines/postgres.ts'

/** Counts for the limits of emulations, and the only writer of `emulation_starts`. */
export class QuotaStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * The number of emulations that the owner has started recently, including this one: it decays by `perHour` an hour.
   * Locks the row, so that requests of one owner run one after the other. The transaction that had the lock before may have
   * begun later: then no time has passed.
   */
  async countStart(tx: Tx, owner: string, perHour: number): Promise<number> {
    const { rows } = await sql<{ recent: number }>`
      insert into emulation_starts as known (owner, recent) values (${owner}, 1)
      on conflict (owner) do update set counted_at = greatest(now(), known.counted_at),
        recent = 1 + greatest(0, known.recent
          - greatest(0, extract(epoch from now() - known.counted_at)) * ${perHour}::float8 / 3600)
      returning recent
    `.execute(tx)
    return rows[0]?.recent ?? 0
  }

  /** Until they are removed, not only while they run. */
  async agentsOf(tx: Tx, owner: string): Promise<number> {
    const { rows } = await sql<{ agents: number }>`
      select coalesce(sum(agents), 0)::int as agents from emulations where owner = ${owner}
    `.execute(tx)
    return rows[0]?.agents ?? 0
  }

  /** Each emulation has an agent: the limit bounds the number of rows that are read. */
  async totals(tx: Tx): Promise<{ total: number; ofStandardUsers: number }> {
    const { rows } = await sql<{ total: number; ofStandardUsers: number }>`
      select coalesce(sum(agents), 0)::int as total,
        coalesce(sum(agents) filter (where of_standard_user), 0)::int as "ofStandardUsers"
      from emulations
    `.execute(tx)
    return rows[0] ?? { total: 0, ofStandardUsers: 0 }
  }

  /** Until the transaction ends. */
  async lockTotals(tx: Tx): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtext('emulated agents of all'))`.execute(tx)
  }

  async deleteOldStarts(): Promise<void> {
    await deleteInBatches(this.#postgres.db, 'emulation_starts', sql`counted_at < now() - interval '1 h'`)
  }
}
