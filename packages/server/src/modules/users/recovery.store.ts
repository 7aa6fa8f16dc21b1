import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { isNextDue } from '../../engines/postgres.lease.ts'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import { usernameKey } from '../../usernames.ts'

export class RecoveryStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Stores the request; false where the account has reached the limit of this hour. */
  async request(tx: Executor, username: string, perHour: number): Promise<boolean> {
    const key = usernameKey(username)
    // Serialises the requests for one account, so that the count is exact.
    await sql`select pg_advisory_xact_lock(hashtext(${`recovery ${key}`}))`.execute(tx)
    const { rows } = await sql`
      insert into password_recoveries (username_key)
      select ${key} where (
        select count(*) from password_recoveries
        where username_key = ${key} and requested_at > now() - interval '1 hour'
      ) < ${perHour}
      returning id`.execute(tx)
    return rows.length > 0
  }

  /** Takes one due request for a minute. */
  async takeDue(): Promise<{ id: string; usernameKey: string; attempts: number } | undefined> {
    const { rows } = await sql<{ id: string; usernameKey: string; attempts: number }>`
      update password_recoveries set attempts = attempts + 1, next_attempt_at = now() + interval '1 minute'
      where ${isNextDue({ table: 'password_recoveries', key: 'id', dueAt: 'next_attempt_at', limit: 1 })}
      returning id, username_key as "usernameKey", attempts`.execute(this.#postgres.db)
    return rows[0]
  }

  /** Ends requests for accounts that do not exist, many at a time: they must not delay the others. */
  async dropUnknown(): Promise<void> {
    await sql`
      update password_recoveries set next_attempt_at = null where id in (
        select id from password_recoveries as asked
        where next_attempt_at <= now()
          and not exists (select 1 from users where users.username_key = asked.username_key)
        limit 5000 for update skip locked
      )`.execute(this.#postgres.db)
  }

  async finish(id: string): Promise<void> {
    await this.#postgres.db
      .updateTable('password_recoveries')
      .set({ next_attempt_at: null })
      .where('id', '=', id)
      .execute()
  }

  /** Replaces the older token of the user. */
  async putToken(userId: string, hash: string, lifetimeS: number): Promise<void> {
    await sql`
      insert into reset_tokens (user_id, hash, expires_at)
      values (${userId}, ${hash}, now() + make_interval(secs => ${lifetimeS}))
      on conflict (user_id) do update set hash = excluded.hash, expires_at = excluded.expires_at
    `.execute(this.#postgres.db)
  }

  /** The user of a token that can be used. */
  async findUser(hashes: readonly string[]): Promise<string | undefined> {
    const { rows } = await sql<{ userId: string }>`
      select user_id as "userId" from reset_tokens where hash = any(${hashes}) and expires_at > now()
    `.execute(this.#postgres.db)
    return rows[0]?.userId
  }

  /** Deletes the token and returns its user. Of concurrent calls exactly one succeeds. */
  async spendToken(tx: Executor, hashes: readonly string[]): Promise<string | undefined> {
    // The user first, in the order of a removal of the user, which deletes the token too: otherwise both could deadlock.
    await sql`
      select 1 from users where id = (select user_id from reset_tokens where hash = any(${hashes})) for update
    `.execute(tx)
    const { rows } = await sql<{ userId: string }>`
      delete from reset_tokens where hash = any(${hashes}) and expires_at > now() returning user_id as "userId"
    `.execute(tx)
    return rows[0]?.userId
  }

  async sweep(): Promise<void> {
    const { db } = this.#postgres
    await deleteInBatches(db, 'reset_tokens', sql`expires_at < now()`)
    await deleteInBatches(db, 'password_recoveries', sql`requested_at < now() - interval '1 hour'`)
  }
}
