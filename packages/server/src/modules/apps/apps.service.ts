import type { ListedApp, ThirdPartyApp, ThirdPartyAppCreate, ThirdPartyAppUpdate } from '@manc/contract'
import type { Postgres } from '../../engines/postgres.ts'
import { alreadyRegistered, notFound } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Secrets } from '../../secrets.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { Revocations } from '../revocations/index.ts'
import type { App, AppStore } from './apps.store.ts'
import { readPermissions } from './permissions.ts'

/** Small: each may have permissions of 64 KiB. */
export const mostAppsAtOnce = 200

export class AppService {
  readonly #postgres: Postgres
  readonly #store: AppStore
  readonly #secrets: Secrets
  readonly #revocations: Revocations

  constructor(parts: { postgres: Postgres; store: AppStore; secrets: Secrets; revocations: Revocations }) {
    this.#postgres = parts.postgres
    this.#store = parts.store
    this.#secrets = parts.secrets
    this.#revocations = parts.revocations
  }

  async create(app: ThirdPartyAppCreate, by: Actor): Promise<ThirdPartyApp> {
    const permissions = JSON.stringify(app.permissions)
    const key = await this.#keep(app.api_key)
    const created = await this.#postgres.transaction(async (tx) => {
      const row = { id: newId(), appName: app.app_name, ...key, permissions }
      const inserted = await this.#store.insert(tx, row)
      if (!inserted) throw alreadyRegistered('Third-party app')
      const detail = { scopes: readPermissions(app.permissions).scopes }
      await recordAudit(tx, by, { action: 'app.create', target: inserted.appName, detail })
      return inserted
    })
    return this.#show(created)
  }

  async get(appName: string): Promise<ThirdPartyApp> {
    const app = await this.#store.find(appName)
    if (!app) throw notFound('Third-party app')
    return this.#show(app)
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
      const apps = await this.page(last, mostAppsAtOnce)
      yield apps
      if (apps.length < mostAppsAtOnce) return
      last = apps.at(-1)?.app_name ?? ''
    }
  }

  async update(appName: string, change: ThirdPartyAppUpdate, by: Actor): Promise<ThirdPartyApp> {
    const permissions = change.permissions ? JSON.stringify(change.permissions) : undefined
    const known = await this.#store.find(appName)
    if (!known) throw notFound('Third-party app')
    const apiKey = change.api_key ?? undefined
    // Unsealed before anything is changed: with the wrong data key nothing must be.
    const knownKey = this.#secrets.unseal(known.apiKeySealed)
    const key = apiKey === undefined || apiKey === knownKey ? undefined : await this.#keep(apiKey)
    const updated = await this.#postgres.transaction(async (tx) => {
      const app = await this.#store.lock(tx, appName)
      if (!app) throw notFound('Third-party app')
      const newPermissions = permissions === app.permissions ? undefined : permissions
      // A PUT that changes nothing ends no session.
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
    return this.#show(updated)
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

  async #keep(apiKey: string): Promise<Pick<App, 'apiKeyHash' | 'apiKeySealed'>> {
    return { apiKeyHash: await this.#secrets.hashPassword(apiKey), apiKeySealed: this.#secrets.seal(apiKey) }
  }

  #show(app: App): ThirdPartyApp {
    return {
      id: app.id,
      app_name: app.appName,
      api_key: this.#secrets.unseal(app.apiKeySealed),
      permissions: JSON.parse(app.permissions),
    }
  }
}
