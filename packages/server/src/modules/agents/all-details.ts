import { type Caller, idOf } from '../../access.ts'
import type { Chunk, JobHandler, JobService } from '../jobs/index.ts'
import type { DetailsStore } from './details.store.ts'

const chunkBytes = 256 * 1024 - 2
/** Agents at once: each may have a configuration of 64 KiB, or next to none. */
const firstPiece = 200
const largestPiece = 2000

/** The details of all agents, as a job. */
export class AllDetails implements JobHandler {
  readonly kind = 'agent_details'
  readonly callback = 'agent_details'
  readonly #jobs: JobService
  readonly #store: DetailsStore

  constructor(parts: { jobs: JobService; store: DetailsStore }) {
    this.#jobs = parts.jobs
    this.#store = parts.store
  }

  /** An app gets the agents that it saw when it asked. */
  request(caller: Caller, key: string | undefined): Promise<string> {
    const request = caller.kind === 'third_party_app' ? { agents: caller.agents } : {}
    return this.#jobs.create({ kind: this.kind, request, owner: idOf(caller), key })
  }

  /** The cursor is the last id that has been delivered. */
  async *chunks(request: Record<string, unknown>, cursor = ''): AsyncGenerator<Chunk> {
    const seen = request['agents'] as string[] | undefined
    let last = cursor
    let most = firstPiece
    for (;;) {
      const piece = await this.#store.textWithState(last, { seen, most, bytes: chunkBytes })
      const isLast = piece.found < most && piece.taken === piece.found
      last = piece.last ?? last
      yield { items: `[${piece.items}]`, cursor: last, isLast }
      if (isLast) return
      // Somewhat more than fit: what does not is put together in vain.
      most = piece.taken < piece.found ? Math.ceil(piece.taken * 1.1) + 1 : Math.min(most * 2, largestPiece)
    }
  }
}
