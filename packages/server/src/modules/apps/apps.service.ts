import type {
  ListedApp,
  Scope,
  ThirdPartyApp,
  ThirdPartyAppCreate,
  ThirdPartyAppUpdate,
} from '@manc/contract'
import type { AppCaller, Caller } from '../../access.ts'
import { ownerOf } from '../../actor.ts'
import type { Postgres } from '../../engines/postgres.ts'
import { alreadyRegistered, invalid, notFound, Refused } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Secrets } from '../../secrets.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { Revocations } from '../revocations/index.ts'
import type { App, AppStore } from './apps.store.ts'
import { changedRights, rightsOf } from './permission-changes.format.ts'
import { permissionProblems } from './permission-checks.rules.ts'
import { type Permissions, readPermissions } from './permissions.rules.ts'
import { isSandboxed } from './sandbox.rules.ts'

/** Small: the permissions of each may have 64 KiB. */
export const maxAppsPerPage = 200

/** What a login needs of an app. */
interface AppLogin {
  id: string
  appName: string
  apiKeyHash: string
  tokenVersion: number
  permissions: Permissions
}

export class AppService {
  readonly #postgres: Postgres
  readonly #store: AppStore
  readonly #secrets: Secrets
  readonly #revocations: Revocations
  readonly #defaultScopes: readonly Scope[]

  constructor(deps: {
    postgres: Postgres
    store: AppStore
    secrets: Secrets
    revocations: Revocations
    /** Of an app whose permissions name no scope. */
    defaultScopes: readonly Scope[]
  }) {
    this.#postgres = deps.postgres
    this.#store = deps.store
    this.#secrets = deps.secrets
    this.#revocations = deps.revocations
    this.#defaultScopes = deps.defaultScopes
  }

  async create(app: ThirdPartyAppCreate, by: Actor): Promise<ThirdPartyApp> {
    refuseProblems(app.permissions)
    await this.#refuseUnsafe(app.permissions)
    const permissions = JSON.stringify(app.permissions)
    const key = await this.#protect(app.api_key, by)
    const created = await this.#postgres.transaction(async (tx) => {
      const row = { id: newId(), appName: app.app_name, ...key, permissions }
      const inserted = await this.#store.insert(tx, row)
      if (!inserted) throw alreadyRegistered('Third-party app')
      const detail = this.#rightsOf(permissions)
      await recordAudit(tx, by, { action: 'app.create', target: inserted.appName, detail: { ...detail } })
      return inserted
    })
    return this.#toResponse(created)
  }

  async findForLogin(name: string): Promise<AppLogin | undefined> {
    const app = await this.#store.find(name)
    if (!app) return undefined
    const { id, appName, apiKeyHash, tokenVersion } = app
    const permissions = this.#read(app.permissions)
    return { id, appName, apiKeyHash, tokenVersion, permissions }
  }

  /** The app as a caller, for work that is done in its name; undefined if it was deleted. */
  async callerOf(id: string): Promise<AppCaller | undefined> {
    const app = await this.#store.findById(id)
    if (!app) return undefined
    const { may, priority, agents, sees } = this.#read(app.permissions)
    return { kind: 'third_party_app', id: app.id, name: app.appName, may, priority, agents, sees }
  }

  /** An app sees its own key masked: its tokens are short-lived, the key is not. Any other read of a key is audited. */
  async get(appName: string, caller: Caller, by: Actor): Promise<ThirdPartyApp> {
    const app = await this.#store.find(appName)
    if (!app) throw notFound('Third-party app')
    const response = this.#toResponse(app)
    if (caller.kind === 'third_party_app') return { ...response, api_key: masked(response.api_key) }
    await recordAudit(this.#postgres.db, by, { action: 'app.read-key', target: appName })
    return response
  }

  async page(after: string, limit: number): Promise<ListedApp[]> {
    const apps = await this.#store.page(after, limit)
    return apps.map(({ id, appName, permissions }) => ({
      id,
      app_name: appName,
      permissions: JSON.parse(permissions),
      ...this.#stateOf(permissions),
    }))
  }

  async *all(after = ''): AsyncGenerator<ListedApp[]> {
    for (let last = after; ; ) {
      const apps = await this.page(last, maxAppsPerPage)
      yield apps
      if (apps.length < maxAppsPerPage) return
      last = apps.at(-1)?.app_name ?? ''
    }
  }

  async update(appName: string, change: ThirdPartyAppUpdate, by: Actor): Promise<ThirdPartyApp> {
    if (change.permissions) refuseProblems(change.permissions)
    await this.#refuseUnsafe(change.permissions)
    const permissions = change.permissions ? JSON.stringify(change.permissions) : undefined
    const known = await this.#store.find(appName)
    if (!known) throw notFound('Third-party app')
    const apiKey = change.api_key ?? undefined
    // Unsealed first: with a wrong data key nothing must be changed.
    const knownKey = this.#secrets.unseal(known.apiKeySealed)
    const key = apiKey === undefined || apiKey === knownKey ? undefined : await this.#protect(apiKey, by)
    const updated = await this.#postgres.transaction(async (tx) => {
      const app = await this.#store.lock(tx, appName)
      if (!app) throw notFound('Third-party app')
      const newPermissions = permissions === app.permissions ? undefined : permissions
      // The response contains the key, whether or not the caller has sent it.
      const isRead = apiKey === undefined
      // A PUT that changes nothing revokes no token.
      if (!key && newPermissions === undefined) {
        if (isRead) await recordAudit(tx, by, { action: 'app.read-key', target: appName })
        return app
      }
      const after = await this.#store.update(tx, app.id, {
        ...key,
        ...(newPermissions !== undefined && { permissions: newPermissions }),
      })
      await this.#revocations.revoke(tx, app.id, after.tokenVersion)
      const detail = {
        ...(key && { api_key: 'changed' }),
        ...(isRead && { api_key: 'read' }),
        ...(newPermissions !== undefined &&
          changedRights(this.#rightsOf(app.permissions), this.#rightsOf(newPermissions))),
      }
      await recordAudit(tx, by, { action: 'app.update', target: appName, detail })
      return after
    })
    return this.#toResponse(updated)
  }

  async delete(appName: string, by: Actor): Promise<void> {
    await this.#postgres.transaction(async (tx) => {
      const app = await this.#store.lock(tx, appName)
      if (!app) throw notFound('Third-party app')
      await this.#store.delete(tx, app.id)
      await this.#revocations.revoke(tx, app.id)
      await recordAudit(tx, by, { action: 'app.delete', target: appName })
    })
  }

  #read(permissions: string): Permissions {
    return readPermissions(JSON.parse(permissions), this.#defaultScopes)
  }

  #stateOf(permissions: string): Pick<ListedApp, 'scopes' | 'state'> {
    const read = this.#read(permissions)
    return { scopes: [...read.scopes], state: read.isSandboxed ? 'sandbox' : 'production' }
  }

  /** Agents of an earlier version may have such ids. */
  async #refuseUnsafe(permissions: Record<string, unknown> | null | undefined): Promise<void> {
    if (!permissions || !isSandboxed(permissions)) return
    const apId = await this.#store.realAgentLikeEmulated()
    if (apId !== undefined)
      throw new Refused(
        'conflict',
        `The access point ${apId} is not emulated, but has the id of an emulated one: an app in the sandbox would see it. Register it with another id first.`,
      )
  }

  #rightsOf(permissions: string) {
    return rightsOf(JSON.parse(permissions), this.#read(permissions))
  }

  async #protect(apiKey: string, by: Actor): Promise<Pick<App, 'apiKeyHash' | 'apiKeySealed'>> {
    const apiKeyHash = await this.#secrets.hashPassword(apiKey, ownerOf(by))
    return { apiKeyHash, apiKeySealed: this.#secrets.seal(apiKey) }
  }

  #toResponse(app: App): ThirdPartyApp {
    return {
      id: app.id,
      app_name: app.appName,
      api_key: this.#secrets.unseal(app.apiKeySealed),
      permissions: JSON.parse(app.permissions),
    }
  }
}

function refuseProblems(permissions: Record<string, unknown>): void {
  const problems = permissionProblems(permissions)
  if (problems.length > 0) throw invalid(problems)
}

/** The end of a long key, so that an administrator can tell which key an app uses. Nothing of a short one. */
const masked = (key: string): string => `********${key.length >= 16 ? key.slice(-4) : ''}`
