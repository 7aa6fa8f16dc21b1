import type { DataKeyUse, KeyCount } from '../../data-keys.ts'
import type { Postgres } from '../../engines/postgres.ts'
import type { Secrets } from '../../secrets.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { ReceiverStore } from './receivers.store.ts'

/** Re-encrypts the secrets of webhooks when the data key is rotated. They are few: one batch. */
export class WebhookSecretService implements DataKeyUse {
  readonly name = 'secrets of webhooks'
  readonly #postgres: Postgres
  readonly #store: ReceiverStore
  readonly #secrets: Secrets

  constructor(deps: { postgres: Postgres; store: ReceiverStore; secrets: Secrets }) {
    this.#postgres = deps.postgres
    this.#store = deps.store
    this.#secrets = deps.secrets
  }

  async countByKey(): Promise<KeyCount[]> {
    const sealed = await this.#store.sealedSecrets()
    return sealed.map((each) => ({ keyId: this.#secrets.keyIdOfSealed(each.sealed), rows: 1 }))
  }

  /** Safe to interrupt and to repeat: a secret that was changed meanwhile is skipped. */
  async *reencrypt(by: Actor): AsyncGenerator<number> {
    const changes = (await this.#store.sealedSecrets())
      .filter(({ sealed }) => this.#isOutdated(sealed))
      .map(({ id, sealed: from }) => ({ id, from, to: this.#secrets.seal(this.#secrets.unseal(from)) }))
    if (changes.length === 0) return
    yield await this.#postgres.transaction(async (tx) => {
      const rows = await this.#store.replaceSealed(tx, changes)
      const detail = { rows, of: 'webhook secret' }
      if (rows > 0) await recordAudit(tx, by, { action: 'keys.rotate', target: this.#secrets.keyId, detail })
      return rows
    })
  }

  #isOutdated(sealed: Buffer): boolean {
    const keyId = this.#secrets.keyIdOfSealed(sealed)
    return keyId !== undefined && keyId !== this.#secrets.keyId
  }
}
