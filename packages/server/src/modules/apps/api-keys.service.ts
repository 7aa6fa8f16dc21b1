import type { DataKeyUse, KeyCount } from '../../data-keys.ts'
import type { Postgres } from '../../engines/postgres.ts'
import type { Secrets } from '../../secrets.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { App, AppStore } from './apps.store.ts'

/** One statement locks this many rows for some milliseconds. */
const batchSize = 500
/** Below every id. */
const firstId = '00000000-0000-0000-0000-000000000000'

/** Re-encrypts the API keys of applications when the data key is rotated. */
export class ApiKeyEncryptionService implements DataKeyUse {
  readonly name = 'API keys of applications'
  readonly #postgres: Postgres
  readonly #store: AppStore
  readonly #secrets: Secrets

  constructor(deps: { postgres: Postgres; store: AppStore; secrets: Secrets }) {
    this.#postgres = deps.postgres
    this.#store = deps.store
    this.#secrets = deps.secrets
  }

  async countByKey(): Promise<KeyCount[]> {
    const counts = new Map<string | undefined, number>()
    for await (const batch of this.#batches())
      for (const { apiKeySealed } of batch) {
        const keyId = this.#secrets.keyIdOfSealed(apiKeySealed)
        counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
      }
    return Array.from(counts, ([keyId, rows]) => ({ keyId, rows }))
  }

  /** Safe to interrupt, to repeat, and to run more than once at a time: a key that was changed meanwhile is skipped. */
  async *reencrypt(by: Actor): AsyncGenerator<number> {
    for await (const batch of this.#batches()) {
      const outdated = batch.filter(({ apiKeySealed }) => this.#isOutdated(apiKeySealed))
      if (outdated.length > 0) yield await this.#replace(outdated, by)
    }
  }

  #replace(outdated: Pick<App, 'id' | 'apiKeySealed'>[], by: Actor): Promise<number> {
    const changes = outdated.map(({ id, apiKeySealed: from }) => ({
      id,
      from,
      to: this.#secrets.seal(this.#secrets.unseal(from)),
    }))
    return this.#postgres.transaction(async (tx) => {
      const rows = await this.#store.replaceSealedKeys(tx, changes)
      if (rows > 0)
        await recordAudit(tx, by, { action: 'keys.rotate', target: this.#secrets.keyId, detail: { rows } })
      return rows
    })
  }

  #isOutdated(sealed: Buffer): boolean {
    const keyId = this.#secrets.keyIdOfSealed(sealed)
    return keyId !== undefined && keyId !== this.#secrets.keyId
  }

  async *#batches(): AsyncGenerator<Pick<App, 'id' | 'apiKeySealed'>[]> {
    for (let lastId: string | undefined = firstId; lastId !== undefined; ) {
      const batch = await this.#store.sealedKeys(lastId, batchSize)
      if (batch.length > 0) yield batch
      lastId = batch.at(-1)?.id
    }
  }
}
