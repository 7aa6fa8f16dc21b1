import { createHash } from 'node:crypto'
import { type Postgres, sql } from '../engines/postgres.ts'
import { tooMany } from '../errors.ts'

export interface ThrottleLimits {
  freeFailures: number
  freeFailuresPerAddress: number
  windowS: number
  maxWaitS: number
}

/** Whose failures are counted together: those of an account, and those from an address. */
export interface Attempt {
  account: string
  address: string
}

/**
 * Slows down guessing, for all replicas together. An account's first failures are free; after those each costs a
 * wait that doubles up to a limit, never a lock for good. Accounts that do not exist are treated the same.
 */
export class Throttle {
  readonly #postgres: Postgres
  readonly #limits: ThrottleLimits

  constructor(parts: { postgres: Postgres; limits: ThrottleLimits }) {
    this.#postgres = parts.postgres
    this.#limits = parts.limits
  }

  /** Throws while the account or the address has to wait. */
  async check(attempt: Attempt): Promise<void> {
    const rows = await this.#postgres.read<{ wait: number }>(
      'login_wait',
      `select ceil(extract(epoch from max(blocked_until) - now()))::int as wait
       from login_failures where key = any($1) and blocked_until > now()`,
      [[keyOf('account', attempt.account), keyOf('address', attempt.address)]],
    )
    const wait = rows[0]?.wait
    if (wait) throw tooMany(`Too many failed logins. Try again in ${wait} s.`, wait)
  }

  async failed(attempt: Attempt): Promise<void> {
    const { freeFailures, freeFailuresPerAddress } = this.#limits
    // One after the other, so that no two attempts wait for each other's rows in opposite order.
    await this.#count(keyOf('account', attempt.account), freeFailures)
    await this.#count(keyOf('address', attempt.address), freeFailuresPerAddress)
  }

  /**
   * Forgets the account's failures. Attempts that were under way together must not slip through the count:
   * if others have failed meanwhile and the account has to wait, so does this one.
   */
  async succeeded(attempt: Attempt): Promise<void> {
    await this.check(attempt)
    await sql`delete from login_failures where key = ${keyOf('account', attempt.account)}`.execute(
      this.#postgres.db,
    )
  }

  async sweep(): Promise<void> {
    await sql`delete from login_failures where expires_at < now()`.execute(this.#postgres.db)
  }

  async #count(key: string, free: number): Promise<void> {
    const { windowS, maxWaitS } = this.#limits
    await sql`
      insert into login_failures as known (key, failures, blocked_until, expires_at)
      values (${key}, 1, now(), now() + make_interval(secs => ${windowS}))
      on conflict (key) do update set (failures, blocked_until, expires_at) = (
        select count, now() + wait, now() + wait + make_interval(secs => ${windowS})
        from (select case when known.expires_at < now() then 1 else known.failures + 1 end as count) as counted,
        lateral (
          select make_interval(secs => case
            when count <= ${free} then 0
            else least(${maxWaitS}, power(2, least(count - ${free} - 1, 30)))
          end) as wait
        ) as waiting
      )
    `.execute(this.#postgres.db)
  }
}

/** Hashed: keys have one length whatever was typed, and a table of failures is no list of what people typed. */
const keyOf = (kind: string, value: string) =>
  createHash('sha256').update(`${kind}:${value}`).digest('base64url')
