import type { Caller } from '../../access.ts'
import { type Chunk, type JobHandler, type JobService, jobTitles, maxChunkBytes } from '../jobs/index.ts'
import type { DetailsStore } from './details.store.ts'

/** Without the brackets of the array. */
const maxItemsBytes = maxChunkBytes - 2
/** Agents per query. Configurations are between a few bytes and 64 KiB, so the number adapts to what fits into a chunk. */
const firstPageSize = 200
const maxPageSize = 2000

/** The details of all agents, as a job. */
export class AllDetailsJob implements JobHandler {
  readonly kind = 'agent_details'
  readonly callback = 'agent_details'
  readonly #jobs: JobService
  readonly #store: DetailsStore

  constructor(deps: { jobs: JobService; store: DetailsStore }) {
    this.#jobs = deps.jobs
    this.#store = deps.store
  }

  /** An application gets the agents that it may see at the time of the request. */
  request(caller: Caller, key: string | undefined): Promise<string> {
    const request = caller.kind === 'third_party_app' ? { agents: caller.agents } : {}
    return this.#jobs.create({ kind: this.kind, title: jobTitles.details, request, caller, key })
  }

  /** The cursor is the last id that has been delivered. */
  async *chunks(request: Record<string, unknown>, cursor = ''): AsyncGenerator<Chunk> {
    const visible = request['agents'] as string[] | undefined
    let last = cursor
    let pageSize = firstPageSize
    for (;;) {
      const page = await this.#store.pageAsText(last, { visible, limit: pageSize, maxBytes: maxItemsBytes })
      const isLast = page.found < pageSize && page.taken === page.found
      last = page.last ?? last
      yield { items: `[${page.items}]`, cursor: last, isLast }
      if (isLast) return
      // Slightly more than fit: the rest is formatted by the database and dropped.
      pageSize =
        page.taken < page.found ? Math.ceil(page.taken * 1.1) + 1 : Math.min(pageSize * 2, maxPageSize)
    }
  }
}
