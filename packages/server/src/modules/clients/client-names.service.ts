import type { DataKeyUse, KeyCount } from '../../data-keys.ts'
import type { Postgres } from '../../engines/postgres.ts'
import { newSecret, Secrets } from '../../secrets.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { ClientStore } from './clients.store.ts'

interface Deps {
  postgres: Postgres
  store: ClientStore
  secrets: Secrets
  isPseudonymous: boolean
}

/** 80 bits: among a million clients, two have the same id with a probability of 1 in 2 · 10¹². */
const idDigits = 20
const pseudonym = /^c[\da-f]{20}$/
const emulatedName = /^emu-client-/

/**
 * Ids of clients. The key of the pseudonyms is generated once and stored encrypted, so that ids stay the same when the data
 * key is rotated: only the key itself is encrypted again.
 */
export class ClientNames implements DataKeyUse {
  readonly name = 'key of the pseudonyms of clients'
  readonly #deps: Deps
  #key: Promise<Secrets> | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Gives the id of a client by its name; undefined if an agent that is not emulated reports an emulated client.
   * Emulated clients have their own ids, so that agents cannot take clients over from an emulation.
   */
  async reader(): Promise<(name: string, isEmulated: boolean) => string | undefined> {
    if (!this.#deps.isPseudonymous)
      return (name, isEmulated) => (emulatedName.test(name) === isEmulated ? name : undefined)
    const key = await this.#current()
    return (name, isEmulated) => {
      const digest = Buffer.from(
        key.fingerprint(`${isEmulated ? 'emulated' : 'client'} ${name}`),
        'base64url',
      )
      return `c${digest.toString('hex').slice(0, idDigits)}`
    }
  }

  /** For the column with the name. */
  async sealer(): Promise<(name: string) => Buffer | null> {
    if (!this.#deps.isPseudonymous) return () => null
    const key = await this.#current()
    return (name) => key.seal(name)
  }

  /** The names at the access points of these ids. Other texts are left out. */
  async namesOf(ids: readonly string[]): Promise<Map<string, string>> {
    const wanted = ids.filter((id) => pseudonym.test(id))
    if (wanted.length === 0) return new Map()
    const sealed = await this.#deps.store.sealedNames(wanted)
    if (sealed.size === 0) return new Map()
    const key = await this.#current()
    return new Map(Array.from(sealed, ([id, name]) => [id, key.unseal(name)]))
  }

  async countByKey(): Promise<KeyCount[]> {
    const sealed = await this.#deps.store.findKey()
    return sealed ? [{ keyId: this.#deps.secrets.keyIdOfSealed(sealed), rows: 1 }] : []
  }

  async *reencrypt(by: Actor): AsyncGenerator<number> {
    const { postgres, store, secrets } = this.#deps
    const sealed = await store.findKey()
    const keyId = sealed && secrets.keyIdOfSealed(sealed)
    if (!sealed || keyId === undefined || keyId === secrets.keyId) return
    yield await postgres.transaction(async (tx) => {
      const rows = (await store.replaceKey(tx, sealed, secrets.seal(secrets.unseal(sealed)))) ? 1 : 0
      if (rows > 0)
        await recordAudit(tx, by, { action: 'keys.rotate', target: secrets.keyId, detail: { rows } })
      return rows
    })
  }

  #current(): Promise<Secrets> {
    this.#key ??= this.#load().catch((error: unknown) => {
      this.#key = undefined
      throw error
    })
    return this.#key
  }

  async #load(): Promise<Secrets> {
    const { store, secrets } = this.#deps
    let sealed = await store.findKey()
    if (!sealed) {
      await store.addKey(secrets.seal(newSecret()))
      sealed = await store.findKey()
    }
    if (!sealed) throw new Error('the key of the pseudonyms of clients could not be stored')
    return new Secrets({ dataKey: secrets.unseal(sealed) })
  }
}
