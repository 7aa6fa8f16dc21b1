import type { TokenData, UserCreate } from '@manc/contract'
import type { Logger } from 'pino'
import { type Postgres, sql } from '../../engines/postgres.ts'
import { forbidden, Refused } from '../../errors.ts'
import { newSecret, type Secrets } from '../../secrets.ts'
import type { Actor } from '../audit/index.ts'
import { rankOf } from './roles.ts'
import type { UserService } from './users.service.ts'
import type { UserStore } from './users.store.ts'

export const setupTokenPrefix = 'setup_'

/** The ways to the first administrator: a setup token from the log, settings, or the command line. */
export class FirstAdmin {
  readonly #postgres: Postgres
  readonly #store: UserStore
  readonly #users: UserService
  readonly #secrets: Secrets
  readonly #log: Logger

  constructor(parts: {
    postgres: Postgres
    store: UserStore
    users: UserService
    secrets: Secrets
    log: Logger
  }) {
    this.#postgres = parts.postgres
    this.#store = parts.store
    this.#users = parts.users
    this.#secrets = parts.secrets
    this.#log = parts.log
  }

  async atStart(bootstrap: UserCreate | undefined): Promise<void> {
    if (await this.#store.hasAdmin()) return
    if (bootstrap) await this.#createFromSettings(bootstrap)
    else await this.#offerSetupToken()
  }

  /** Whether the token is one that we gave out and there is still no administrator. */
  async isLive(token: string): Promise<boolean> {
    const { rows } = await sql`
      select 1 from setup_tokens
      where hash = ${this.#secrets.fingerprint(token)} and not exists (select 1 from users where is_admin)
    `.execute(this.#postgres.db)
    return rows.length > 0
  }

  /** Spends every setup token: from here on an administrator decides. */
  create(user: UserCreate, by: Actor): Promise<TokenData> {
    if (rankOf(user.roles) !== 'admin') throw forbidden()
    return this.#users.create(user, by, async (tx) => {
      await this.#store.lockAdministration(tx)
      if (await this.#store.hasAdmin(tx))
        throw new Refused('conflict', 'There is an administrator already. Log in as one.')
      await tx.deleteFrom('setup_tokens').execute()
    })
  }

  async #createFromSettings(admin: UserCreate): Promise<void> {
    const { username } = admin
    try {
      await this.create(admin, { kind: 'settings', name: 'bootstrap' })
      this.#log.info({ username }, 'administrator created from the settings')
    } catch (error) {
      // Another replica was faster, or the name belongs to somebody who is no administrator.
      if (!(error instanceof Refused && error.kind === 'conflict')) throw error
      this.#log.warn({ username }, `no administrator was created from the settings: ${error.message}`)
    }
  }

  async #offerSetupToken(): Promise<void> {
    const token = newSecret(setupTokenPrefix)
    await this.#postgres.db
      .insertInto('setup_tokens')
      .values({ hash: this.#secrets.fingerprint(token) })
      .execute()
    this.#log.warn(
      `There is no administrator yet. Create one: POST /api/v1/users/public with "Authorization: Bearer ${token}" and {"username", "password", "roles": ["admin"]}.`,
    )
  }
}
