import { createHash } from 'node:crypto'
import type { LoginType } from '@manc/contract'
import type { Limits } from '../../limits.ts'
import { usernameKey } from '../../usernames.ts'
import type { LoginFailureStore } from './login-failures.store.ts'

interface ThrottleLimits {
  freeFailures: number
  freeFailuresPerAddress: number
  windowS: number
  maxWaitS: number
}

/** Failures are counted per account and per address. */
interface Attempt {
  account: string
  /** Undefined where it is not known, as in requests of the broker: then only the account counts. */
  address: string | undefined
}

/**
 * Slows down password guessing across all replicas. The first failures of an account are free; after those each causes a
 * wait that doubles up to a limit. An account is never locked for good. Accounts that do not exist are treated the same.
 */
export class LoginThrottle {
  readonly #store: LoginFailureStore
  readonly #limits: ThrottleLimits
  readonly #reached: Limits

  constructor(deps: { store: LoginFailureStore; limits: ThrottleLimits; reached: Limits }) {
    this.#store = deps.store
    this.#limits = deps.limits
    this.#reached = deps.reached
  }

  /** Throws while the account or the address has to wait. */
  async check(attempt: Attempt): Promise<void> {
    const waitS = await this.#store.waitS(keysOf(attempt))
    if (waitS > 0)
      throw this.#reached.refusal(
        'MANC_LOGIN_FREE_FAILURES',
        `Too many failed logins. Try again in ${waitS} s.`,
        waitS,
      )
  }

  async recordFailure(attempt: Attempt): Promise<void> {
    const { freeFailures, freeFailuresPerAddress, windowS, maxWaitS } = this.#limits
    const [account, address] = keysOf(attempt)
    // One after the other: in one statement, two attempts could lock each other's rows in opposite order.
    await this.#store.count(account, { free: freeFailures, windowS, maxWaitS })
    if (address !== undefined)
      await this.#store.count(address, { free: freeFailuresPerAddress, windowS, maxWaitS })
  }

  /** Deletes the failures of an account, after a successful login or a password reset. */
  clear(account: string): Promise<void> {
    return this.#store.delete(keyOf('account', account))
  }

  sweep(): Promise<void> {
    return this.#store.deleteExpired()
  }
}

const keysOf = ({ account, address }: Attempt): [string, ...string[]] =>
  address === undefined ? [keyOf('account', account)] : [keyOf('account', account), keyOf('address', address)]

/** The account that a login names, whether or not it exists. */
export const accountOf = (kind: LoginType, name: string): string =>
  `${kind}:${kind === 'user' ? usernameKey(name) : name}`

/** Hashed: keys have a fixed length, and the table does not contain what was typed as a username. */
const keyOf = (kind: string, value: string) =>
  createHash('sha256').update(`${kind}:${value}`).digest('base64url')
