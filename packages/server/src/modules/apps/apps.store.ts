import type { Executor, Postgres } from '../../engines/postgres.ts'

export interface App {
  id: string
  appName: string
  apiKeyHash: string
  apiKeySealed: Buffer
  /** JSON text, as it was sent. */
  permissions: string
  tokenVersion: number
}

const columns = [
  'id',
  'app_name as appName',
  'api_key_hash as apiKeyHash',
  'api_key_sealed as apiKeySealed',
  'permissions',
  'token_version as tokenVersion',
] as const

export class AppStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Undefined where the name is taken. */
  async insert(tx: Executor, app: Omit<App, 'tokenVersion'>): Promise<App | undefined> {
    return tx
      .insertInto('third_party_apps')
      .values({
        id: app.id,
        app_name: app.appName,
        api_key_hash: app.apiKeyHash,
        api_key_sealed: app.apiKeySealed,
        permissions: app.permissions,
      })
      .onConflict((conflict) => conflict.column('app_name').doNothing())
      .returning(columns)
      .executeTakeFirst()
  }

  async find(appName: string): Promise<App | undefined> {
    return this.#postgres.db
      .selectFrom('third_party_apps')
      .select(columns)
      .where('app_name', '=', appName)
      .executeTakeFirst()
  }

  /** One page, ordered by name. */
  async page(after: string, limit: number): Promise<Pick<App, 'id' | 'appName' | 'permissions'>[]> {
    return this.#postgres.db
      .selectFrom('third_party_apps')
      .select(['id', 'app_name as appName', 'permissions'])
      .where('app_name', '>', after)
      .orderBy('app_name')
      .limit(limit)
      .execute()
  }

  async lock(tx: Executor, appName: string): Promise<App | undefined> {
    return tx
      .selectFrom('third_party_apps')
      .select(columns)
      .where('app_name', '=', appName)
      .forUpdate()
      .executeTakeFirst()
  }

  async update(
    tx: Executor,
    id: string,
    change: Partial<Pick<App, 'apiKeyHash' | 'apiKeySealed' | 'permissions'>>,
  ): Promise<App> {
    return tx
      .updateTable('third_party_apps')
      .set({
        ...(change.apiKeyHash !== undefined && { api_key_hash: change.apiKeyHash }),
        ...(change.apiKeySealed && { api_key_sealed: change.apiKeySealed }),
        ...(change.permissions !== undefined && { permissions: change.permissions }),
      })
      .set((eb) => ({ token_version: eb('token_version', '+', 1) }))
      .where('id', '=', id)
      .returning(columns)
      .executeTakeFirstOrThrow()
  }

  async delete(tx: Executor, id: string): Promise<void> {
    await tx.deleteFrom('third_party_apps').where('id', '=', id).execute()
  }
}
