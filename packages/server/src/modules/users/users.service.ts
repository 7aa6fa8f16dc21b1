import type { Scope, TokenData, UserCreate, UserUpdate } from '@manc/contract'
import type { Rank } from '../../access.ts'
import { ownerOf } from '../../actor.ts'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { alreadyRegistered, invalid, notFound, Refused } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Secrets } from '../../secrets.ts'
import { usernameKey } from '../../usernames.ts'
import { type Actor, type LoginAudit, recordAudit } from '../audit/index.ts'
import type { Revocations } from '../revocations/index.ts'
import { accountOf, type LoginThrottle, type WindowLimit } from '../throttle/index.ts'
import { rankOf, scopesOf } from './roles.rules.ts'
import type { User, UserStore, UserWithPassword } from './users.store.ts'

const pageSize = 500

/** What a login needs of a user. */
interface UserLogin {
  id: string
  username: string
  passwordHash: string
  tokenVersion: number
  rank: Rank
  scopes: readonly Scope[]
  /** False if the user has signed up and has not used the link of the e-mail. */
  isConfirmed: boolean
}

interface CreateOptions {
  /** Runs in the same transaction, for conditions that must hold at the time of creation. */
  before?: (tx: Tx) => Promise<void>
  /** Runs in the same transaction if the name was free. */
  after?: (tx: Tx) => Promise<void>
  /** The account has to be confirmed within this time. */
  confirmWithinS?: number
}

export class UserService {
  readonly #postgres: Postgres
  readonly #store: UserStore
  readonly #secrets: Secrets
  readonly #revocations: Revocations
  readonly #throttle: LoginThrottle
  readonly #logins: LoginAudit
  readonly #passwordChanges: WindowLimit
  readonly #needsCurrentPassword: boolean

  constructor(deps: {
    postgres: Postgres
    store: UserStore
    secrets: Secrets
    revocations: Revocations
    throttle: LoginThrottle
    logins: LoginAudit
    passwordChanges: WindowLimit
    /** Whether users must send the password in use to change their own. */
    needsCurrentPassword: boolean
  }) {
    this.#postgres = deps.postgres
    this.#store = deps.store
    this.#secrets = deps.secrets
    this.#revocations = deps.revocations
    this.#throttle = deps.throttle
    this.#logins = deps.logins
    this.#passwordChanges = deps.passwordChanges
    this.#needsCurrentPassword = deps.needsCurrentPassword
  }

  /** Replaces a sign-up with this name that is not confirmed. */
  async create(user: UserCreate, by: Actor, options: CreateOptions = {}): Promise<TokenData> {
    const { before, after, confirmWithinS } = options
    const passwordHash = await this.#secrets.hashPassword(user.password, ownerOf(by))
    const roles = user.roles.length > 0 ? user.roles : ['user']
    const isAdmin = rankOf(roles) === 'admin'
    const created = await this.#postgres.transaction(async (tx) => {
      await before?.(tx)
      await this.#store.deleteUnconfirmed(tx, user.username)
      const row = { id: newId(), username: user.username, passwordHash, roles, isAdmin, confirmWithinS }
      const inserted = await this.#store.insert(tx, row)
      if (!inserted) return undefined
      const detail = { roles, ...(confirmWithinS !== undefined && { confirmation: 'pending' }) }
      await recordAudit(tx, by, { action: 'user.create', target: inserted.username, detail })
      await after?.(tx)
      return inserted
    })
    if (!created) throw alreadyRegistered('User')
    return toTokenData(created)
  }

  async findForLogin(username: string): Promise<UserLogin | undefined> {
    const user = await this.#store.findForLogin(username)
    return user && { ...user, rank: rankOf(user.roles), scopes: scopesOf(user.roles) }
  }

  async get(username: string): Promise<TokenData> {
    const user = await this.#store.find(username)
    if (!user) throw notFound('User')
    return toTokenData(user)
  }

  async page(after: string, limit: number): Promise<TokenData[]> {
    return (await this.#store.page(after, limit)).map(toTokenData)
  }

  async *all(after = ''): AsyncGenerator<TokenData[]> {
    for (let last = after; ; ) {
      const users = await this.#store.page(last, pageSize)
      if (users.length > 0) yield users.map(toTokenData)
      if (users.length < pageSize) return
      last = users.at(-1)?.username ?? ''
    }
  }

  async update(username: string, change: UserUpdate, by: Actor, address: string): Promise<TokenData> {
    const roles = change.roles && change.roles.length === 0 ? ['user'] : (change.roles ?? undefined)
    // Before the account is read: a flood of changes costs nothing more.
    const isOwnPassword = typeof change.password === 'string' && isOwn(username, by)
    if (isOwnPassword) this.#passwordChanges.count(ownerOf(by))
    const known = await this.#store.findForLogin(username)
    if (!known) throw notFound('User')
    if (isOwnPassword) await this.#checkCurrent(known, change.current_password ?? undefined, address)
    const newPassword = await this.#changedHash(known, change.password ?? undefined, by)
    return this.#postgres.transaction(async (tx) => {
      if (roles) await this.#store.lockAdministration(tx)
      const user = await this.#store.lock(tx, username)
      if (!user) throw notFound('User')
      const newRoles = roles && !sameList(roles, user.roles) ? roles : undefined
      if (newPassword === undefined && newRoles === undefined) return toTokenData(user)
      const isAdmin = newRoles && rankOf(newRoles) === 'admin'
      if (user.isAdmin && isAdmin === false) await this.#refuseLastAdmin(tx, user, 'demoted')
      const updated = await this.#store.update(tx, user.id, {
        ...(newPassword !== undefined && { passwordHash: newPassword }),
        ...(newRoles && { roles: newRoles, isAdmin: isAdmin === true }),
      })
      await this.#revocations.revoke(tx, user.id, updated.tokenVersion)
      await recordAudit(tx, by, {
        action: 'user.update',
        target: user.username,
        detail: {
          ...(newPassword !== undefined && { password: 'changed' }),
          ...(newRoles && { roles: { from: user.roles, to: newRoles } }),
        },
      })
      return toTokenData(updated)
    })
  }

  async delete(username: string, by: Actor): Promise<void> {
    await this.#postgres.transaction(async (tx) => {
      await this.#store.lockAdministration(tx)
      const user = await this.#store.lock(tx, username)
      if (!user) throw notFound('User')
      if (user.isAdmin) await this.#refuseLastAdmin(tx, user, 'deleted')
      await this.#store.delete(tx, user.id)
      await this.#revocations.revoke(tx, user.id)
      await recordAudit(tx, by, { action: 'user.delete', target: user.username })
    })
  }

  /** Undefined if the password stays the same: a PUT that changes nothing revokes no token. */
  async #changedHash(
    user: UserWithPassword,
    password: string | undefined,
    by: Actor,
  ): Promise<string | undefined> {
    if (password === undefined) return undefined
    const owner = ownerOf(by)
    const isSame = await this.#secrets.verifyPassword(user.passwordHash, password, { kind: 'change', owner })
    return isSame ? undefined : this.#secrets.hashPassword(password, owner)
  }

  /** Who has only the user's token must not be able to take over the account. A wrong password is a failed login. */
  async #checkCurrent(user: UserWithPassword, given: string | undefined, address: string): Promise<void> {
    if (given === undefined) {
      if (!this.#needsCurrentPassword) return
      throw invalid([{ loc: ['body', 'current_password'], msg: 'Field required', type: 'missing' }])
    }
    const attempt = { account: accountOf('user', user.username), address }
    const checkThrottle = () => this.#throttle.check(attempt)
    await checkThrottle()
    const by = { kind: 'change', owner: `user ${user.username}` } as const
    if (await this.#secrets.verifyPassword(user.passwordHash, given, by, checkThrottle)) return
    await this.#throttle.recordFailure(attempt)
    await this.#logins.failed({ kind: 'user', name: user.username, address })
    throw new Refused('forbidden', 'The current password is wrong. Send the password that you log in with.')
  }

  async #refuseLastAdmin(tx: Tx, user: User, done: string): Promise<void> {
    if (await this.#store.isOnlyAdmin(tx, user.id))
      throw new Refused(
        'conflict',
        `The last administrator cannot be ${done}. Make another user an administrator first.`,
      )
  }
}

export function toTokenData(user: User): TokenData {
  return { username: user.username, roles: user.roles.join(','), scopes: [...scopesOf(user.roles)] }
}

const isOwn = (username: string, by: Actor) =>
  by.kind === 'user' && usernameKey(by.name) === usernameKey(username)

const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((item, index) => item === b[index])
