import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { type Postgres, sql } from '../../engines/postgres.ts'

interface Growth {
  free: number
  windowS: number
  maxWaitS: number
}

export class LoginFailureStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** The remaining waits of these keys in seconds; without those that do not have to wait. */
  async waitsS(keys: string[]): Promise<Map<string, number>> {
    const rows = await this.#postgres.read<{ key: string; wait: number }>(
      'login_waits',
      `select key, ceil(extract(epoch from blocked_until - now()))::int as wait
       from login_failures where key = any($1) and blocked_until > now()`,
      [keys],
    )
    return new Map(rows.map(({ key, wait }) => [key, wait]))
  }

  async count(key: string, { free, windowS, maxWaitS }: Growth): Promise<void> {
    await sql`
      insert into login_failures as known (key, failures, counted_at, blocked_until, expires_at)
      values (${key}, 1, now(), now(), now() + make_interval(secs => ${windowS}))
      on conflict (key) do update set (failures, counted_at, blocked_until, expires_at) = (
        select count, greatest(now(), known.counted_at), now() + wait, now() + wait + make_interval(secs => ${windowS})
        from (
          -- Failures decay: as many per window as are free. A statement that has waited for the row may have begun before the
          -- one that it waited for: then no time has passed.
          select 1 + greatest(0, known.failures
            - greatest(0, extract(epoch from now() - known.counted_at)) * ${free}::float / ${windowS}) as count
        ) as counted,
        lateral (
          select make_interval(secs => case
            when count <= ${free} then 0
            else least(${maxWaitS}, power(2, least(ceil(count) - ${free} - 1, 30)))
          end) as wait
        ) as waiting
      )
    `.execute(this.#postgres.db)
  }

  async delete(keys: string[]): Promise<void> {
    await this.#postgres.db.deleteFrom('login_failures').where('key', 'in', keys).execute()
  }

  async deleteExpired(): Promise<void> {
    await deleteInBatches(this.#postgres.db, 'login_failures', sql`expires_at < now()`)
  }
}
