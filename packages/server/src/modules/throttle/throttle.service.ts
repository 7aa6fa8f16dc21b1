import { createHash } from 'node:crypto'
import type { LoginType } from '@manc/contract'
import type { Limits } from '../../limits.ts'
import { usernameKey } from '../../usernames.ts'
import type { KnownLoginStore } from './known-logins.store.ts'
import type { LoginFailureStore } from './login-failures.store.ts'

interface ThrottleLimits {
  freeFailures: number
  freeFailuresPerAccount: number
  freeFailuresPerAddress: number
  windowS: number
  maxWaitS: number
}

interface Attempt {
  account: string
  /** Undefined in requests of the broker, which does not send it. */
  address: string | undefined
}

/**
 * Slows down password guessing across all replicas. Failures are counted per account and address, with larger limits per
 * account and per address. The first are free; after those each causes a wait that doubles up to a limit. An account is
 * never locked for good. Accounts that do not exist are treated the same.
 *
 * Failures of others do not keep the owner of an account out: those from one address cause no wait at another one, and the
 * wait of the account as a whole does not apply where it has logged in before. Failures at the broker count separately.
 */
export class LoginThrottle {
  readonly #failures: LoginFailureStore
  readonly #known: KnownLoginStore
  readonly #limits: ThrottleLimits
  readonly #reached: Limits

  constructor(deps: {
    failures: LoginFailureStore
    known: KnownLoginStore
    limits: ThrottleLimits
    reached: Limits
  }) {
    this.#failures = deps.failures
    this.#known = deps.known
    this.#limits = deps.limits
    this.#reached = deps.reached
  }

  /** Throws while the account or the address has to wait. */
  async check({ account, address }: Attempt): Promise<void> {
    const { setting, waitS } = await this.#longestWait(keysOf(account, address))
    if (waitS > 0)
      throw this.#reached.refusal(setting, `Too many failed logins. Try again in ${waitS} s.`, waitS)
  }

  async recordFailure({ account, address }: Attempt): Promise<void> {
    const { freeFailures, freeFailuresPerAccount, freeFailuresPerAddress, windowS, maxWaitS } = this.#limits
    const keys = keysOf(account, address)
    // One after the other: in one statement, two attempts could lock each other's rows in opposite order.
    await this.#failures.count(keys.attempt, { free: freeFailures, windowS, maxWaitS })
    if (keys.address === undefined) return
    await this.#failures.count(keys.account, { free: freeFailuresPerAccount, windowS, maxWaitS })
    await this.#failures.count(keys.address, { free: freeFailuresPerAddress, windowS, maxWaitS })
  }

  /** After a login: the failures of this account at this address no longer count. */
  async recordSuccess({ account, address }: Attempt): Promise<void> {
    const keys = keysOf(account, address)
    await this.#failures.delete([keys.attempt])
    if (keys.address !== undefined && !(await this.#known.has(keys.account, keys.address)))
      await this.#known.add(keys.account, keys.address)
  }

  /** After a password reset: those from other addresses do not count either. */
  async clear({ account, address }: Attempt): Promise<void> {
    const keys = keysOf(account, address)
    await this.#failures.delete([keys.attempt, keys.account])
  }

  async sweep(): Promise<void> {
    await this.#failures.deleteExpired()
    await this.#known.deleteExpired()
  }

  async #longestWait({ attempt, account, address }: Keys): Promise<Wait> {
    const keys = address === undefined ? [attempt] : [attempt, account, address]
    const waitsS = await this.#failures.waitsS(keys)
    if (address !== undefined && waitsS.has(account) && (await this.#known.has(account, address)))
      waitsS.delete(account)
    const waits: Wait[] = [
      { setting: 'MANC_LOGIN_FREE_FAILURES', waitS: waitsS.get(attempt) ?? 0 },
      { setting: 'MANC_LOGIN_FREE_FAILURES_PER_ACCOUNT', waitS: waitsS.get(account) ?? 0 },
      { setting: 'MANC_LOGIN_FREE_FAILURES_PER_ADDRESS', waitS: waitsS.get(address ?? '') ?? 0 },
    ]
    return waits.reduce((longest, wait) => (wait.waitS > longest.waitS ? wait : longest))
  }
}

interface Wait {
  /** With the limit that causes it. */
  setting:
    | 'MANC_LOGIN_FREE_FAILURES'
    | 'MANC_LOGIN_FREE_FAILURES_PER_ACCOUNT'
    | 'MANC_LOGIN_FREE_FAILURES_PER_ADDRESS'
  waitS: number
}

interface Keys {
  /** Of this account at this address, or of this agent at the broker. */
  attempt: string
  /** From all addresses. Failures at the broker do not count. */
  account: string
  address: string | undefined
}

const keysOf = (account: string, address: string | undefined): Keys => ({
  attempt: address === undefined ? keyOf('broker', account) : keyOf('account at', `${address} ${account}`),
  account: keyOf('account', account),
  address: address === undefined ? undefined : keyOf('address', address),
})

/** The account that a login names, whether or not it exists. */
export const accountOf = (kind: LoginType, name: string): string =>
  `${kind}:${kind === 'user' ? usernameKey(name) : name}`

/** Hashed: keys have a fixed length, and the table does not contain what was typed as a username. */
const keyOf = (kind: string, value: string) =>
  createHash('sha256').update(`${kind}:${value}`).digest('base64url')
