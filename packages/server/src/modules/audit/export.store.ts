import { type Postgres, sql } from '../../engines/postgres.ts'
import type { AuditRow } from './audit.store.ts'

/** Entries that were not exported yet, and which process exports them. */
export class ExportStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** False if another process has the lease. */
  async lease(holder: string, leaseMs: number): Promise<boolean> {
    const { rows } = await sql`
      insert into audit_exports as export (name, holder, until)
      values ('audit', ${holder}, now() + make_interval(secs => ${leaseMs / 1000}))
      on conflict (name) do update set holder = excluded.holder, until = excluded.until
      where export.holder = excluded.holder or export.until < now()
      returning name`.execute(this.#postgres.db)
    return rows.length > 0
  }

  async release(holder: string): Promise<void> {
    await sql`delete from audit_exports where holder = ${holder}`.execute(this.#postgres.db)
  }

  /** The oldest first. A row that counts events is complete when its minute is over. */
  async next(limit: number): Promise<AuditRow[]> {
    const { rows } = await sql<AuditRow>`
      select id, at, actor_kind as "actorKind", actor, action, target, detail, request_id as "requestId" from audit
      where not exported and (aggregation_key is null or at < now() - interval '1 minute')
      order by id limit ${limit}`.execute(this.#postgres.db)
    return rows
  }

  /** Rows whose count has increased since they were read are exported again. */
  async finish(rows: readonly AuditRow[]): Promise<void> {
    await sql`
      update audit set exported = true
      from unnest(${rows.map(({ id }) => id)}::bigint[],
        ${rows.map(({ detail }) => JSON.stringify(detail))}::jsonb[]) as sent (id, detail)
      where audit.id = sent.id and audit.detail = sent.detail`.execute(this.#postgres.db)
  }

  /** Entries that should have been exported by now, also those that are complete after a minute. At most `max`. */
  async pending(max: number): Promise<number> {
    const { rows } = await sql<{ pending: number }>`
      select count(*)::int as pending from (
        select 1 from audit where not exported and at < now() - interval '90 seconds' limit ${max}
      ) as waiting
    `.execute(this.#postgres.db)
    return rows[0]?.pending ?? 0
  }
}
