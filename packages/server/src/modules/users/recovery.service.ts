import type { Logger } from 'pino'
import type { Mail } from '../../engines/mail.ts'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { Refused } from '../../errors.ts'
import type { Limits } from '../../limits.ts'
import { newSecret, type Secrets } from '../../secrets.ts'
import { recordAudit } from '../audit/index.ts'
import type { Revocations } from '../revocations/index.ts'
import { accountOf, type LoginThrottle } from '../throttle/index.ts'
import { confirmationMail, resetMail } from './account-mails.format.ts'
import type { RecoveryStore } from './recovery.store.ts'
import type { Recipient, UserStore } from './users.store.ts'

interface Deps {
  postgres: Postgres
  store: RecoveryStore
  users: UserStore
  secrets: Secrets
  revocations: Revocations
  mail: Mail
  log: Logger
  publicUrl: string
  tokenLifetimeS: number
  perHour: number
  limits: Limits
  throttle: LoginThrottle
}

const maxAttempts = 10

export class RecoveryService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Only stores the request. Whether the account exists is looked up later by the loop, so that neither the response nor
   * its time reveals it.
   */
  async request(username: string): Promise<void> {
    await this.#deps.postgres.transaction((tx) => this.requestIn(tx, username))
  }

  /** As part of a transaction. To an account that is not confirmed, a confirmation is sent instead of a reset token. */
  async requestIn(tx: Tx, username: string): Promise<void> {
    if (!(await this.#deps.store.request(tx, username, this.#deps.perHour)))
      throw this.#deps.limits.refusal(
        'MANC_RECOVERIES_PER_HOUR',
        'Too many e-mails for this account. Use the newest one, or try again in an hour.',
        3600,
      )
  }

  dropUnknown(): Promise<void> {
    return this.#deps.store.dropUnknown()
  }

  /** Processes one due request; false where none is due. */
  async processNext(): Promise<boolean> {
    const { store, users, mail, log } = this.#deps
    const due = await store.takeDue()
    if (!due) return false
    const user = await users.findRecipient(due.usernameKey)
    if (!user) {
      await store.finish(due.id)
    } else if (!mail.configured) {
      log.warn('an e-mail with a token was requested, but MANC_SMTP_URL is not set: no e-mail was sent')
      await store.finish(due.id)
    } else {
      await this.#sendToken(user).then(
        () => store.finish(due.id),
        async (error: unknown) => {
          log.warn({ err: error, attempt: due.attempts }, 'an e-mail with a token could not be sent')
          if (due.attempts >= maxAttempts) await store.finish(due.id)
        },
      )
    }
    return true
  }

  async reset(token: string, newPassword: string, by: { address: string; requestId: string }): Promise<void> {
    const { postgres, store, users, secrets, revocations, throttle, log } = this.#deps
    const hashes = secrets.fingerprints(token)
    if ((await store.findUser(hashes)) === undefined) throw badToken()
    const passwordHash = await secrets.hashPassword(newPassword, by.address)
    await postgres.transaction(async (tx) => {
      const userId = await store.spendToken(tx, hashes)
      if (!userId) throw badToken()
      // The token was sent to the address of the account, which confirms it.
      const user = await users.update(tx, userId, { passwordHash, isConfirmed: true })
      await revocations.revoke(tx, user.id, user.tokenVersion)
      postgres.afterCommit(tx, () => {
        // The password is changed in any case: at worst the user has to wait before the next login.
        throttle
          .clear({ account: accountOf('user', user.username), address: by.address })
          .catch((err: unknown) => log.warn({ err }, 'failed logins could not be cleared'))
      })
      const actor = { kind: 'reset-token', name: user.username, requestId: by.requestId }
      await recordAudit(tx, actor, { action: 'user.reset-password', target: user.username })
    })
  }

  sweep(): Promise<void> {
    return this.#deps.store.sweep()
  }

  async #sendToken({ id, username: to, confirmWithinS }: Recipient): Promise<void> {
    const { store, secrets, mail, publicUrl, tokenLifetimeS } = this.#deps
    const token = newSecret()
    const lifetimeS = confirmWithinS ?? tokenLifetimeS
    await store.putToken(id, secrets.fingerprint(token), lifetimeS)
    const link = { to, token, publicUrl, lifetimeS }
    await mail.send(confirmWithinS === null ? resetMail(link) : confirmationMail(link))
  }
}

export const badToken = () => new Refused('bad-request', 'Invalid or expired token')
