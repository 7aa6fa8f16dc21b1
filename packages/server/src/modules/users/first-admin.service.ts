import type { TokenData, UserCreate } from '@manc/contract'
import type { Logger } from 'pino'
import { forbidden, Refused } from '../../errors.ts'
import { newSecret, type Secrets } from '../../secrets.ts'
import type { Actor } from '../audit/index.ts'
import { rankOf } from './roles.rules.ts'
import type { SetupTokenStore } from './setup-tokens.store.ts'
import type { UserService } from './users.service.ts'
import type { UserStore } from './users.store.ts'

export const setupTokenPrefix = 'setup_'

/** Creates the first administrator, from the settings or with a setup token that is written to the log. */
export class FirstAdminService {
  readonly #setupTokens: SetupTokenStore
  readonly #store: UserStore
  readonly #users: UserService
  readonly #secrets: Secrets
  readonly #log: Logger

  constructor(deps: {
    setupTokens: SetupTokenStore
    store: UserStore
    users: UserService
    secrets: Secrets
    log: Logger
  }) {
    this.#setupTokens = deps.setupTokens
    this.#store = deps.store
    this.#users = deps.users
    this.#secrets = deps.secrets
    this.#log = deps.log
  }

  /** Called at start. Does nothing when there is an administrator. */
  async ensure(bootstrap: UserCreate | undefined): Promise<void> {
    if (await this.#store.hasAdmin()) return
    if (bootstrap) await this.#createFromSettings(bootstrap)
    else await this.#offerSetupToken()
  }

  /** Whether the setup token exists and there is still no administrator. */
  isSetupTokenValid(token: string): Promise<boolean> {
    return this.#setupTokens.isValid(this.#secrets.fingerprints(token))
  }

  /** Invalidates all setup tokens: further administrators are created by an administrator. */
  create(user: UserCreate, by: Actor): Promise<TokenData> {
    if (rankOf(user.roles) !== 'admin') throw forbidden()
    return this.#users.create(user, by, {
      before: async (tx) => {
        await this.#store.lockAdministration(tx)
        if (await this.#store.hasAdmin(tx))
          throw new Refused('conflict', 'There is an administrator already. Log in as one.')
        await this.#setupTokens.deleteAll(tx)
      },
    })
  }

  async #createFromSettings(admin: UserCreate): Promise<void> {
    const { username } = admin
    try {
      await this.create(admin, { kind: 'settings', name: 'bootstrap' })
      this.#log.info({ username }, 'administrator created from the settings')
    } catch (error) {
      // Another replica was first, or a user without the role has this name.
      if (!(error instanceof Refused && error.kind === 'conflict')) throw error
      this.#log.warn({ username }, `no administrator was created from the settings: ${error.message}`)
    }
  }

  async #offerSetupToken(): Promise<void> {
    const token = newSecret(setupTokenPrefix)
    await this.#setupTokens.insert(this.#secrets.fingerprint(token))
    this.#log.warn(
      `There is no administrator yet. Create one: POST /api/v1/users/public with "Authorization: Bearer ${token}" and {"username", "password", "roles": ["admin"]}.`,
    )
  }
}
