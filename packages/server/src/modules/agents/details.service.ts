import type { AgentDetails, DetailsStore } from './details.store.ts'

/** Agents per query. Small: each may have a configuration of 64 KiB. */
const batchSize = 200

type IsVisible = (apId: string) => boolean

/** The stored details of all agents that the caller may see. */
export class DetailsService {
  readonly #store: DetailsStore

  constructor(store: DetailsStore) {
    this.#store = store
  }

  async *all(isVisible: IsVisible, after = ''): AsyncGenerator<AgentDetails[]> {
    for await (const batch of this.#batches(after, batchSize))
      yield batch.filter(({ apId }) => isVisible(apId))
  }

  /** Shorter than `limit` only at the end of the list, also where invisible agents are skipped. */
  async page(isVisible: IsVisible, after: string, limit: number): Promise<AgentDetails[]> {
    const page: AgentDetails[] = []
    for await (const batch of this.#batches(after, Math.max(limit, batchSize))) {
      page.push(...batch.filter(({ apId }) => isVisible(apId)))
      if (page.length >= limit) break
    }
    return page.slice(0, limit)
  }

  /** When the agent was created; undefined if there is none. */
  createdAt(apId: string): Promise<Date | undefined> {
    return this.#store.createdAt(apId)
  }

  async *#batches(after: string, size: number): AsyncGenerator<AgentDetails[]> {
    for (let last = after; ; ) {
      const batch = await this.#store.page(last, size)
      yield batch
      if (batch.length < size) return
      last = batch.at(-1)?.apId ?? ''
    }
  }
}
