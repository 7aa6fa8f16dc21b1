import { LRUCache } from 'lru-cache'
import type { NoteStore } from './notes.store.ts'
import { isObject } from './samples.ts'

const mostBytes = 16_384
/** With the database down notes wait; beyond this many agents the newest are dropped, never a sample. */
const mostWaiting = 100_000

/**
 * What samples tell beside their numbers: what an agent says of itself, how often it was refused.
 * Gathered in memory and written every second, and only what is new.
 */
export class Notes {
  readonly #store: NoteStore
  readonly #lastSaid = new LRUCache<string, string>({ max: 200_000 })
  #said = new Map<string, { attributes: string; saidAt: Date }>()
  #refused = new Map<string, { apId: string; reason: string; samples: number }>()

  constructor(store: NoteStore) {
    this.#store = store
  }

  said(apId: string, attributes: Record<string, unknown>, tsMs: number): void {
    const text = JSON.stringify(storable(attributes))
    if (text.length > mostBytes || this.#lastSaid.get(apId) === text) return
    if (this.#said.size >= mostWaiting && !this.#said.has(apId)) return
    this.#lastSaid.set(apId, text)
    this.#said.set(apId, { attributes: text, saidAt: new Date(tsMs) })
  }

  refused(apId: string, reason: string): void {
    const key = `${apId} ${reason}`
    const known = this.#refused.get(key)
    if (known) known.samples += 1
    else if (this.#refused.size < mostWaiting) this.#refused.set(key, { apId, reason, samples: 1 })
  }

  async flush(): Promise<void> {
    const said = [...this.#said]
    if (said.length > 0) {
      await this.#store.putAttributes(said.map(([apId, rest]) => ({ apId, ...rest })))
      for (const [apId, written] of said) if (this.#said.get(apId) === written) this.#said.delete(apId)
    }
    const refused = [...this.#refused.values()]
    if (refused.length > 0) {
      this.#refused = new Map()
      await this.#store.addRefusals(refused).catch((error: unknown) => {
        for (const { apId, reason, samples } of refused)
          for (let n = 0; n < samples; n++) this.refused(apId, reason)
        throw error
      })
    }
  }
}

/** PostgreSQL refuses U+0000 and lone surrogates in jsonb; one agent's text must not hold up what others say. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  if (Array.isArray(value)) return value.map(storable)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storable(inner)]))
}
