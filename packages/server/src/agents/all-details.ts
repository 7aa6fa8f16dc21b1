import { type Caller, idOf } from '../access.ts'
import { matchesGlob } from '../globs.ts'
import type { Chunk, JobHandler, JobService } from '../jobs/index.ts'
import type { DetailsStore } from './details.store.ts'

const chunkLength = 256 * 1024 - 2
/** Small: each may have a configuration of 64 KiB. */
const pieceSize = 200

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
    const globs = request['agents'] as string[] | undefined
    const isSeen = (apId: string) => globs?.some((glob) => matchesGlob(glob, apId)) ?? true
    let items = ''
    let last = cursor
    let delivered = cursor
    for (;;) {
      const piece = await this.#store.pageWithState(last, pieceSize)
      for (const { id, apId, configuration, onboard, online } of piece) {
        last = apId
        if (!isSeen(apId)) continue
        const item = `{"id":"${id}","ap_id":"${apId}","configuration":${configuration},"onboard":${onboard},"online":${online}}`
        if (items !== '' && items.length + item.length > chunkLength) {
          yield { items: `[${items}]`, cursor: delivered, isLast: false }
          items = ''
        }
        items += items === '' ? item : `,${item}`
        delivered = apId
      }
      if (piece.length < pieceSize) break
    }
    yield { items: `[${items}]`, cursor: last, isLast: true }
  }
}
