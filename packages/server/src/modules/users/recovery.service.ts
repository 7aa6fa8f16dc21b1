import type { Logger } from 'pino'
import type { Mail } from '../../engines/mail.ts'
import type { Postgres } from '../../engines/postgres.ts'
import { Refused, tooMany } from '../../errors.ts'
import { newSecret, type Secrets } from '../../secrets.ts'
import { recordAudit } from '../audit/index.ts'
import type { Revocations } from '../revocations/index.ts'
import type { RecoveryStore } from './recovery.store.ts'
import type { UserStore } from './users.store.ts'

interface Parts {
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
  /** Whoever holds the mailbox need not wait for the wrong passwords of before. */
  forgive: (username: string) => Promise<void>
}

const mostAttempts = 10

export class RecoveryService {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Only writes the wish down. Whether the account exists is looked up later, away from the caller,
   * so that neither the answer nor its time can tell.
   */
  async request(username: string): Promise<void> {
    if (!(await this.#parts.store.request(username, this.#parts.perHour)))
      throw tooMany('Too many recovery requests for this account. Try again in an hour.', 3600)
  }

  dropUnknown(): Promise<void> {
    return this.#parts.store.dropUnknown()
  }

  /** Serves one due request; false where none is due. */
  async serveNext(): Promise<boolean> {
    const { store, users, mail, log } = this.#parts
    const due = await store.takeDue()
    if (!due) return false
    const user = await users.find(due.usernameKey)
    if (!user) {
      await store.finish(due.id)
    } else if (!mail.configured) {
      log.warn('a password recovery was asked for, but MANC_SMTP_URL is not set: no e-mail was sent')
      await store.finish(due.id)
    } else {
      await this.#sendToken(user.id, user.username).then(
        () => store.finish(due.id),
        async (error: unknown) => {
          log.warn({ err: error, attempt: due.attempts }, 'a recovery e-mail could not be sent')
          if (due.attempts >= mostAttempts) await store.finish(due.id)
        },
      )
    }
    return true
  }

  async reset(token: string, newPassword: string, requestId: string): Promise<void> {
    const { postgres, store, users, secrets, revocations, forgive, log } = this.#parts
    const hash = secrets.fingerprint(token)
    if (!(await store.isLive(hash))) throw badToken()
    const passwordHash = await secrets.hashPassword(newPassword)
    await postgres.transaction(async (tx) => {
      const userId = await store.spendToken(tx, hash)
      if (!userId) throw badToken()
      const user = await users.update(tx, userId, { passwordHash })
      await revocations.revoke(tx, user.id, user.tokenVersion)
      postgres.afterCommit(tx, () => {
        // The password is changed all the same: at worst its owner has to wait for the next login.
        forgive(user.username).catch((err: unknown) => log.warn({ err }, 'failed logins are still counted'))
      })
      const by = { kind: 'reset-token', name: user.username, requestId }
      await recordAudit(tx, by, { action: 'user.reset-password', target: user.username })
    })
  }

  sweep(): Promise<void> {
    return this.#parts.store.sweep()
  }

  async #sendToken(userId: string, username: string): Promise<void> {
    const { store, secrets, mail, publicUrl, tokenLifetimeS } = this.#parts
    const token = newSecret()
    const here = publicUrl.replace(/\/$/, '')
    await store.putToken(userId, secrets.fingerprint(token), tokenLifetimeS)
    await mail.send({
      to: username,
      subject: 'Reset your MANC password',
      text: [
        'Somebody asked to reset the password of this account. If it was not you, do nothing.',
        '',
        `Reset token: ${token}`,
        '',
        // Behind the # no server and no log sees it.
        `Set a new password at ${here}/reset#token=${token}`,
        `or send it to POST ${here}/api/v1/users/reset-password`,
        'as {"token": "…", "new_password": "…"}.',
        '',
        `It works once, within ${Math.ceil(tokenLifetimeS / 60)} minutes.`,
        '',
      ].join('\n'),
    })
  }
}

const badToken = () => new Refused('bad-request', 'Invalid or expired token')
