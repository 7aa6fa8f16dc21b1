import { type Postgres, sql } from '../../engines/postgres.ts'
import { type Gap, type GapRow, openEndMs } from './gap-pieces.rules.ts'

/** Within this time after a store was added, all ingesters have to write to it. */
const joinS = 600
const batchRows = 5000
const registrationLock = 'manc metrics stores'

/** The only writer of the tables `metrics_stores` and `metrics_gaps`. */
export class MetricsGapsStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * Records which stores are in use. One that is new misses everything from `fromMs` on. Without any known store, the
   * first has the history. One that is no longer in use is forgotten, since it misses what follows.
   */
  async register(names: readonly string[], fromMs: number): Promise<void> {
    await this.#postgres.transaction(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${registrationLock}))`.execute(tx)
      await sql`delete from metrics_stores where name <> all(${names}::text[])`.execute(tx)
      await sql`delete from metrics_gaps where store <> all(${names}::text[])`.execute(tx)
      const rows = await tx.selectFrom('metrics_stores').select('name').execute()
      const known = rows.length > 0 ? rows.map(({ name }) => name) : names.slice(0, 1)
      await sql`
        insert into metrics_gaps (store, source, from_ms, to_ms, repair_after)
        select store, source, ${fromMs}::bigint, ${openEndMs}::bigint, now() + make_interval(secs => ${joinS})
        from unnest(${names}::text[]) as store, unnest(${known}::text[]) as source
        where store <> all(${known}::text[])
        on conflict do nothing
      `.execute(tx)
      await sql`
        insert into metrics_stores (name) select unnest(${names}::text[]) on conflict do nothing
      `.execute(tx)
    })
  }

  /** The gaps may repeat. When this returns, what they cover will be repaired. */
  async record(gaps: readonly Gap[]): Promise<void> {
    for (let from = 0; from < gaps.length; from += batchRows)
      await this.#record(gaps.slice(from, from + batchRows))
  }

  async #record(gaps: readonly Gap[]): Promise<void> {
    await sql`
      insert into metrics_gaps as known (store, source, from_ms, to_ms)
      -- In the order of all writers: two of them could lock each other's rows.
      select distinct * from unnest(
        ${gaps.map(({ store }) => store)}::text[],
        ${gaps.map(({ source }) => source)}::text[],
        ${gaps.map(({ fromMs }) => fromMs)}::bigint[],
        ${gaps.map(({ toMs }) => toMs)}::bigint[]) as gap (store, source, from_ms, to_ms)
      order by 1, 2, 3, 4
      on conflict (store, source, from_ms, to_ms) do update set revision = known.revision + 1
    `.execute(this.#postgres.db)
  }

  /** Gaps that can be repaired now from one of these sources, the oldest first. */
  async due(store: string, sources: readonly string[], limit: number): Promise<GapRow[]> {
    const { rows } = await sql<GapRow>`
      select id, store, source, from_ms::float8 as "fromMs", to_ms::float8 as "toMs", revision from metrics_gaps
      where store = ${store} and source = any(${sources}::text[]) and repair_after <= now()
      order by from_ms limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** False if another process repairs this store, or if it is no longer in use. */
  async lease(store: string, holder: string, leaseMs: number): Promise<boolean> {
    const { rows } = await sql`
      update metrics_stores
      set repairer = ${holder}, leased_until = now() + make_interval(secs => ${leaseMs / 1000})
      where name = ${store} and (repairer = ${holder} or leased_until <= now())
      returning name
    `.execute(this.#postgres.db)
    return rows.length > 0
  }

  /** What is before `toMs` is repaired, unless more was missed since the rows were read. */
  async finish(gaps: readonly Pick<GapRow, 'id' | 'revision'>[], toMs: number): Promise<void> {
    const repaired = sql`
      unnest(${gaps.map(({ id }) => id)}::bigint[], ${gaps.map(({ revision }) => revision)}::bigint[])
      as repaired (id, revision)
    `
    await sql`
      delete from metrics_gaps as gap using ${repaired}
      where gap.id = repaired.id and gap.revision = repaired.revision and gap.to_ms <= ${toMs}
    `.execute(this.#postgres.db)
    await sql`
      update metrics_gaps as gap set from_ms = ${toMs} from ${repaired}
      where gap.id = repaired.id and gap.revision = repaired.revision
        and gap.from_ms < ${toMs} and gap.to_ms > ${toMs}
    `.execute(this.#postgres.db)
  }

  /** By name of the store, in milliseconds. Stores without a gap are not in it. */
  async totals(): Promise<Map<string, number>> {
    const { rows } = await sql<{ store: string; gapMs: number }>`
      select store, sum(greatest(1, least(to_ms, extract(epoch from now()) * 1000) - from_ms))::float8 as "gapMs"
      from metrics_gaps group by store
    `.execute(this.#postgres.db)
    return new Map(rows.map(({ store, gapMs }) => [store, gapMs]))
  }
}
