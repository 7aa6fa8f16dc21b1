import type { ListedApp, ThirdPartyApp, ThirdPartyAppCreate, ThirdPartyAppUpdate } from '@manc/contract'
import type { Postgres } from '../../engines/postgres.ts'
import { alreadyRegistered, notFound } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Secrets } from '../../secrets.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { Revocations } from '../revocations/index.ts'
import type { App, AppStore } from './apps.store.ts'
import { type Permissions, readPermissions } from './permissions.rules.ts'

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

  constructor(deps: { postgres: Postgres; store: AppStore; secrets: Secrets; revocations: Revocations }) {
    this.#postgres = deps.postgres
    this.#store = deps.store
    this.#secrets = deps.secrets
    this.#revocations = deps.revocations
  }

  async create(app: ThirdPartyAppCreate, by: Actor): Promise<ThirdPartyApp> {
    const permissions = JSON.stringify(app.permissions)
    const key = await this.#protect(app.api_key)
    const created = await this.#postgres.transaction(async (tx) => {
      const row = { id: newId(), appName: app.app_name, ...key, permissions }
      const inserted = await this.#store.insert(tx, row)
      if (!inserted) throw alreadyRegistered('Third-party app')
      const detail = { scopes: readPermissions(app.permissions).scopes }
      await recordAudit(tx, by, { action: 'app.create', target: inserted.appName, detail })
      return inserted
    })
    return this.#toResponse(created)
  }

  async findForLogin(name: string): Promise<AppLogin | undefined> {
    const app = await this.#store.find(name)
    if (!app) return undefined
    const { id, appName, apiKeyHash, tokenVersion } = app
    const permissions = readPermissions(JSON.parse(app.permissions))
    return { id, appName, apiKeyHash, tokenVersion, permissions }
  }

  async get(appName: string): Promise<ThirdPartyApp> {
    const app = await this.#store.find(appName)
    if (!app) throw notFound('Third-party app')
    return this.#toResponse(app)
  }

  async page(after: string, limit: number): Promise<ListedApp[]> {
    const apps = await this.#store.page(after, limit)
    return apps.map(({ id, appName, permissions }) => ({
      id,
      app_name: appName,
      permissions: JSON.parse(permissions),
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
    const permissions = change.permissions ? JSON.stringify(change.permissions) : undefined
    const known = await this.#store.find(appName)
    if (!known) throw notFound('Third-party app')
    const apiKey = change.api_key ?? undefined
    // Unsealed first: with a wrong data key nothing must be changed.
    const knownKey = this.#secrets.unseal(known.apiKeySealed)
    const key = apiKey === undefined || apiKey === knownKey ? undefined : await this.#protect(apiKey)
    const updated = await this.#postgres.transaction(async (tx) => {
      const app = await this.#store.lock(tx, appName)
      if (!app) throw notFound('Third-party app')
      const newPermissions = permissions === app.permissions ? undefined : permissions
      // A PUT that changes nothing revokes no token.
      if (!key && newPermissions === undefined) return app
      const after = await this.#store.update(tx, app.id, {
        ...key,
        ...(newPermissions !== undefined && { permissions: newPermissions }),
      })
      await this.#revocations.revoke(tx, app.id, after.tokenVersion)
      const detail = {
        ...(key && { api_key: 'changed' }),
        ...(newPermissions !== undefined && { scopes: readPermissions(change.permissions ?? {}).scopes }),
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

  async #protect(apiKey: string): Promise<Pick<App, 'apiKeyHash' | 'apiKeySealed'>> {
    return { apiKeyHash: await this.#secrets.hashPassword(apiKey), apiKeySealed: this.#secrets.seal(apiKey) }
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
