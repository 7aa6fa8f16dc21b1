import { emulatedApIdPrefixes } from '@manc/contract'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import { escapeLike } from '../../globs.ts'

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

  async findById(id: string): Promise<App | undefined> {
    return this.#postgres.db
      .selectFrom('third_party_apps')
      .select(columns)
      .where('id', '=', id)
      .executeTakeFirst()
  }

  /** An agent that is not emulated, but has such an id. */
  async realAgentLikeEmulated(): Promise<string | undefined> {
    const { rows } = await sql<{ apId: string }>`
      select ap_id as "apId" from agents
      where ap_id like any(${emulatedApIdPrefixes.map((prefix) => `${escapeLike(prefix)}%`)}::text[]) and emulation is null
      limit 1
    `.execute(this.#postgres.db)
    return rows[0]?.apId
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

  /** Encrypted API keys in the order of ids. */
  async sealedKeys(afterId: string, limit: number): Promise<Pick<App, 'id' | 'apiKeySealed'>[]> {
    return this.#postgres.db
      .selectFrom('third_party_apps')
      .select(['id', 'api_key_sealed as apiKeySealed'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute()
  }

  /**
   * Replaces encrypted API keys that have not changed since they were read, and returns how many. Locked in the order of
   * ids, so that two concurrent calls do not deadlock.
   */
  async replaceSealedKeys(
    tx: Executor,
    keys: readonly { id: string; from: Buffer; to: Buffer }[],
  ): Promise<number> {
    const { rows } = await sql`
      with unchanged as (
        select app.id, changed.replacement from third_party_apps as app
        join unnest(${keys.map(({ id }) => id)}::uuid[], ${keys.map(({ from }) => from)}::bytea[],
          ${keys.map(({ to }) => to)}::bytea[]) as changed (id, original, replacement) on app.id = changed.id
        where app.api_key_sealed = changed.original
        order by app.id for update of app
      )
      update third_party_apps as app set api_key_sealed = unchanged.replacement
      from unchanged where app.id = unchanged.id
      returning app.id`.execute(tx)
    return rows.length
  }

  async delete(tx: Executor, id: string): Promise<void> {
    await tx.deleteFrom('third_party_apps').where('id', '=', id).execute()
  }
}
