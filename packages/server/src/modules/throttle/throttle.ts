import { createHash } from 'node:crypto'
import type { LoginType } from '@manc/contract'
import { type Postgres, sql } from '../../engines/postgres.ts'
import { tooMany } from '../../errors.ts'
import { usernameKey } from '../../usernames.ts'

export interface ThrottleLimits {
  freeFailures: number
  freeFailuresPerAddress: number
  windowS: number
  maxWaitS: number
}

/** Whose failures are counted together: those of an account, and those from an address. */
export interface Attempt {
  account: string
  /** Undefined where it is not known, as in a question of the broker: then the account alone counts. */
  address: string | undefined
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
      [keysOf(attempt)],
    )
    const wait = rows[0]?.wait
    if (wait) throw tooMany(`Too many failed logins. Try again in ${wait} s.`, wait)
  }

  async failed(attempt: Attempt): Promise<void> {
    const { freeFailures, freeFailuresPerAddress } = this.#limits
    const [account, address] = keysOf(attempt)
    // One after the other, so that no two attempts wait for each other's rows in opposite order.
    await this.#count(account, freeFailures)
    if (address !== undefined) await this.#count(address, freeFailuresPerAddress)
  }

  /** Forgets the account's failures. */
  async forgive(account: string): Promise<void> {
    await sql`delete from login_failures where key = ${keyOf('account', account)}`.execute(this.#postgres.db)
  }

  async sweep(): Promise<void> {
    await sql`delete from login_failures where expires_at < now()`.execute(this.#postgres.db)
  }

  async #count(key: string, free: number): Promise<void> {
    const { windowS, maxWaitS } = this.#limits
    await sql`
      insert into login_failures as known (key, failures, counted_at, blocked_until, expires_at)
      values (${key}, 1, now(), now(), now() + make_interval(secs => ${windowS}))
      on conflict (key) do update set (failures, counted_at, blocked_until, expires_at) = (
        select count, now(), now() + wait, now() + wait + make_interval(secs => ${windowS})
        from (
          -- Failures fade: as many in a window as are free.
          select 1 + greatest(0, known.failures - extract(epoch from now() - known.counted_at) * ${free}::float / ${windowS}) as count
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
}

const keysOf = ({ account, address }: Attempt): [string, string?] =>
  address === undefined ? [keyOf('account', account)] : [keyOf('account', account), keyOf('address', address)]

/** The account that a login names, whether or not there is one. */
export const accountOf = (kind: LoginType, name: string): string =>
  `${kind}:${kind === 'user' ? usernameKey(name) : name}`

/** Hashed: keys have one length whatever was typed, and a table of failures is no list of what people typed. */
const keyOf = (kind: string, value: string) =>
  createHash('sha256').update(`${kind}:${value}`).digest('base64url')
