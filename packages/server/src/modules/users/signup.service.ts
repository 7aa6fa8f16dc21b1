import type { TokenData, UserRegister } from '@manc/contract'
import type { Actor } from '../../actor.ts'
import type { Postgres } from '../../engines/postgres.ts'
import { Refused } from '../../errors.ts'
import type { Secrets } from '../../secrets.ts'
import { type LoginAudit, recordAudit } from '../audit/index.ts'
import { accountOf, type LoginThrottle, type WindowLimit } from '../throttle/index.ts'
import { badToken, type RecoveryService } from './recovery.service.ts'
import type { RecoveryStore } from './recovery.store.ts'
import { toTokenData, type UserService } from './users.service.ts'
import type { UnconfirmedUser, UserStore } from './users.store.ts'

interface Deps {
  postgres: Postgres
  users: UserService
  store: UserStore
  tokens: RecoveryStore
  recovery: RecoveryService
  secrets: Secrets
  throttle: LoginThrottle
  logins: LoginAudit
  confirmations: WindowLimit
  mode: 'open' | 'confirmed' | 'closed'
  /** How long a sign-up can be confirmed. */
  confirmWithinS: number
}

interface Request {
  address: string
  requestId: string
}

/** Accounts that people create for themselves. */
export class SignUpService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  refuseIfClosed(): void {
    if (this.#deps.mode === 'closed')
      throw new Refused('forbidden', 'Sign-up is closed. Ask an administrator for an account.')
  }

  /**
   * Has the same result for a free name and for one whose sign-up is not confirmed: the later sign-up replaces the
   * earlier one, so no name is reserved and a lost e-mail can be sent again.
   */
  async signUp(user: UserRegister, by: Actor, address: string): Promise<TokenData> {
    const { users, recovery, confirmations, mode, confirmWithinS } = this.#deps
    const standard = { ...user, roles: ['user'] }
    if (mode === 'open') return users.create(standard, by)
    // Each sign-up sends an e-mail, to an address that may belong to another person.
    confirmations.count(address)
    return users.create(standard, by, {
      confirmWithinS,
      after: (tx) => recovery.requestIn(tx, user.username),
    })
  }

  /**
   * With the password of the sign-up: who opens the link without having signed up must not confirm an account of which
   * another person has the password.
   */
  async confirm(token: string, password: string, by: Request): Promise<TokenData> {
    const { postgres, store, tokens, secrets } = this.#deps
    const hashes = secrets.fingerprints(token)
    const userId = await tokens.findUser(hashes)
    const user = userId === undefined ? undefined : await store.findUnconfirmed(userId)
    if (!user) throw badToken()
    await this.#checkPassword(user, password, by.address)
    return postgres.transaction(async (tx) => {
      if ((await tokens.spendToken(tx, hashes)) !== user.id) throw badToken()
      const confirmed = await store.confirm(tx, user.id)
      if (!confirmed) throw badToken()
      const actor = { kind: 'confirmation-token', name: user.username, requestId: by.requestId }
      await recordAudit(tx, actor, { action: 'user.confirm', target: user.username })
      return toTokenData(confirmed)
    })
  }

  /** Removes sign-ups that were not confirmed in time. */
  sweep(): Promise<void> {
    return this.#deps.store.deleteExpired()
  }

  async #checkPassword(user: UnconfirmedUser, password: string, address: string): Promise<void> {
    const { secrets, throttle, logins } = this.#deps
    const attempt = { account: accountOf('user', user.username), address }
    const checkThrottle = () => throttle.check(attempt)
    await checkThrottle()
    const owner = { kind: 'login', owner: address } as const
    if (await secrets.verifyPassword(user.passwordHash, password, owner, checkThrottle)) return
    await throttle.recordFailure(attempt)
    await logins.failed({ kind: 'user', name: user.username, address })
    throw new Refused(
      'forbidden',
      'This is not the password of the sign-up. Try again, or set another password with the token of the e-mail.',
    )
  }
}
