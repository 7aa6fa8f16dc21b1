import type { AgentDetails, DetailsStore } from './details.store.ts'

/** Small: each may have a configuration of 64 KiB. */
const pieceSize = 200

type Sees = (apId: string) => boolean

/** All agents, read directly from storage; an app gets those that it sees. */
export class DetailsService {
  readonly #store: DetailsStore

  constructor(store: DetailsStore) {
    this.#store = store
  }

  async *all(sees: Sees, after = ''): AsyncGenerator<AgentDetails[]> {
    for await (const piece of this.#pieces(after, pieceSize)) yield piece.filter(({ apId }) => sees(apId))
  }

  /** Full unless the list ends: what an app does not see is passed over. */
  async page(sees: Sees, after: string, limit: number): Promise<AgentDetails[]> {
    const page: AgentDetails[] = []
    for await (const piece of this.#pieces(after, Math.max(limit, pieceSize))) {
      page.push(...piece.filter(({ apId }) => sees(apId)))
      if (page.length >= limit) break
    }
    return page.slice(0, limit)
  }

  /** Since when there has been this agent; undefined where there is none. */
  createdAt(apId: string): Promise<Date | undefined> {
    return this.#store.createdAt(apId)
  }

  async *#pieces(after: string, size: number): AsyncGenerator<AgentDetails[]> {
    for (let last = after; ; ) {
      const piece = await this.#store.page(last, size)
      yield piece
      if (piece.length < size) return
      last = piece.at(-1)?.apId ?? ''
    }
  }
}
