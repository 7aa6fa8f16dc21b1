import type { AgentDetails, DetailsStore } from './details.store.ts'

/** Agents per query. Small: each may have a configuration of 64 KiB. */
const batchSize = 200

/** Id patterns of the agents that the caller may see; undefined: all agents. */
type Visible = readonly string[] | undefined

/** The stored details of all agents that the caller may see. */
export class DetailsService {
  readonly #store: DetailsStore

  constructor(store: DetailsStore) {
    this.#store = store
  }

  async *all(visible: Visible, after = ''): AsyncGenerator<AgentDetails[]> {
    for (let last = after; ; ) {
      const batch = await this.#store.page(visible, last, batchSize)
      yield batch
      if (batch.length < batchSize) return
      last = batch.at(-1)?.apId ?? ''
    }
  }

  /** Shorter than `limit` only at the end of the list. */
  page(visible: Visible, after: string, limit: number): Promise<AgentDetails[]> {
    return this.#store.page(visible, after, limit)
  }

  /** When the agent was created; undefined if there is none. */
  createdAt(apId: string): Promise<Date | undefined> {
    return this.#store.createdAt(apId)
  }
}
