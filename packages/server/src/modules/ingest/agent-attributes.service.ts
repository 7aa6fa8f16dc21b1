import { LRUCache } from 'lru-cache'
import type { Limits } from '../../limits.ts'
import type { AgentAttributesStore } from './agent-attributes.store.ts'
import type { RejectedSamplesService } from './rejected-samples.service.ts'
import { isObject } from './sample.format.ts'

interface Deps {
  store: AgentAttributesStore
  rejected: Pick<RejectedSamplesService, 'record'>
  /** Of all attributes of one agent, as JSON text. */
  maxBytes: number
  limits: Limits
}

/** Agents with changes that are not written yet. Beyond it, while the database is down, new changes are dropped. */
const maxPending = 100_000
const sweepRows = 5000
const batchRows = 1000

interface Pending {
  attributes: Record<string, unknown>
  sentAt: Date
}

/** The members of samples that are no metrics: texts, lists, nulls. Stored when they change, per agent. */
export class AgentAttributesService {
  readonly #deps: Deps
  /** By agent: the newest attributes, as JSON text, and their time. */
  readonly #lastRecorded = new LRUCache<string, { text: string; tsMs: number }>({ max: 200_000 })
  readonly #pending = new Map<string, Pending>()
  #sweptUpTo = ''

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Written with the next flush, with all changes since the last one. */
  record(apId: string, attributes: Record<string, unknown>, tsMs: number): void {
    const last = this.#lastRecorded.get(apId)
    // Of a backlog that arrives late: the store ignores it as well.
    if (last && tsMs < last.tsMs) return
    const change = storable(attributes) as Record<string, unknown>
    const text = JSON.stringify(change)
    if (last) last.tsMs = tsMs
    if (last?.text === text) return
    const pending = this.#pending.get(apId)
    if (this.#pending.size >= maxPending && !pending) return
    this.#lastRecorded.set(apId, { text, tsMs })
    const merged = pending ? { ...pending.attributes, ...change } : change
    if (byteLength(merged) > this.#deps.maxBytes) this.#refuse(apId)
    else this.#pending.set(apId, { attributes: merged, sentAt: new Date(tsMs) })
  }

  /** In batches: after an outage every agent may have a change, and a statement has to end within the time limit. */
  async flush(): Promise<void> {
    const changes = [...this.#pending]
    for (let from = 0; from < changes.length; from += batchRows)
      await this.#write(changes.slice(from, from + batchRows))
  }

  async #write(changes: readonly [string, Pending][]): Promise<void> {
    const refused = await this.#deps.store.merge(
      changes.map(([apId, { attributes, sentAt }]) => ({
        apId,
        attributes: JSON.stringify(attributes),
        sentAt,
      })),
      this.#deps.maxBytes,
    )
    for (const [apId, written] of changes) if (this.#pending.get(apId) === written) this.#pending.delete(apId)
    for (const apId of refused) this.#refuse(apId)
  }

  /** The newest status message of each agent, written at once. */
  async writeStatuses(statuses: readonly { apId: string; status: string }[]): Promise<void> {
    const sentAt = new Date()
    await this.#deps.store.merge(
      statuses.map(({ apId, status }) => ({ apId, attributes: JSON.stringify({ status }), sentAt })),
      // One short text: stored even if the attributes are full.
      this.#deps.maxBytes * 2,
    )
  }

  /** Deletes attributes of deleted agents. Each call checks some of the rows, so that its cost is limited. */
  async sweep(): Promise<void> {
    this.#sweptUpTo = (await this.#deps.store.deleteOrphans(this.#sweptUpTo, sweepRows)) ?? ''
  }

  #refuse(apId: string): void {
    this.#deps.limits.count('MANC_AGENT_ATTRIBUTE_BYTES')
    this.#deps.rejected.record(apId, `attributes of more than ${this.#deps.maxBytes} bytes`, 1)
  }
}

const byteLength = (attributes: Record<string, unknown>) => Buffer.byteLength(JSON.stringify(attributes))

/** PostgreSQL rejects U+0000 and lone surrogates in jsonb; one agent's text must not fail the batch of all. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd')
  if (Array.isArray(value)) return value.map(storable)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storable(inner)]))
}
