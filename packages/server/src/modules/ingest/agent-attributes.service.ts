import { LRUCache } from 'lru-cache'
import type { AgentAttributesStore } from './agent-attributes.store.ts'
import { isObject } from './sample.format.ts'

const maxBytes = 16_384
/** Agents with changes that are not written yet. Beyond it, while the database is down, new changes are dropped. */
const maxPending = 100_000

interface Pending {
  attributes: string
  sentAt: Date
}

/** The members of samples that are no metrics: texts, lists, nulls. Stored when they change, per agent. */
export class AgentAttributesService {
  readonly #store: AgentAttributesStore
  readonly #lastRecorded = new LRUCache<string, string>({ max: 200_000 })
  readonly #pending = new Map<string, Pending>()

  constructor(store: AgentAttributesStore) {
    this.#store = store
  }

  /** Written with the next flush. */
  record(apId: string, attributes: Record<string, unknown>, tsMs: number): void {
    const text = JSON.stringify(storable(attributes))
    if (text.length > maxBytes || this.#lastRecorded.get(apId) === text) return
    if (this.#pending.size >= maxPending && !this.#pending.has(apId)) return
    this.#lastRecorded.set(apId, text)
    this.#pending.set(apId, { attributes: text, sentAt: new Date(tsMs) })
  }

  async flush(): Promise<void> {
    const changes = [...this.#pending]
    if (changes.length === 0) return
    await this.#store.merge(changes.map(([apId, change]) => ({ apId, ...change })))
    for (const [apId, written] of changes) if (this.#pending.get(apId) === written) this.#pending.delete(apId)
  }

  /** The newest status message of each agent, written at once. */
  async writeStatuses(statuses: readonly { apId: string; status: string }[]): Promise<void> {
    const sentAt = new Date()
    await this.#store.merge(
      statuses.map(({ apId, status }) => ({ apId, attributes: JSON.stringify({ status }), sentAt })),
    )
  }
}

/** PostgreSQL rejects U+0000 and lone surrogates in jsonb; one agent's text must not fail the batch of all. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  if (Array.isArray(value)) return value.map(storable)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storable(inner)]))
}
