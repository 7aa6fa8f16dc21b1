import type {
  AgentState,
  Box,
  FleetAgent,
  FleetChanges,
  FleetFigures,
  FleetSummary,
  Technology,
} from '@manc/contract'
import type { Stream } from './stream.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface FleetFilter {
  area?: Box
  technology?: readonly Technology[]
  state?: readonly AgentState[]
  /** Part of the id or name. */
  search?: string
}

/** Where the agents are, and which of them are there. */
export class Fleet {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  summary(options?: CallOptions): Promise<FleetSummary> {
    return this.#transport.call('getFleetSummary', {}, options)
  }

  /** What the agents measure, added up by technology; cheap enough to ask every few seconds. */
  figures(options?: CallOptions): Promise<FleetFigures> {
    return this.#transport.call('getFleetFigures', {}, options)
  }

  /**
   * What has changed since an earlier answer, whose `next` is `after`; without one, where to begin: ask before you read the list.
   * Where `is_complete` is false, read the list again. Cheap to ask every few seconds, however many agents there are.
   */
  changes(after?: string, options?: CallOptions): Promise<FleetChanges> {
    return this.#transport.call(
      'getFleetChanges',
      { query: { ...(after !== undefined && { after }) } },
      options,
    )
  }

  /** In the order of their ids, page by page as you iterate: `pageSize` is how many are asked for at once. */
  agents({
    area,
    technology,
    state,
    search,
    pageSize = 1000,
    ...options
  }: FleetFilter & { pageSize?: number } & CallOptions = {}): Stream<FleetAgent> {
    const bbox = area && [area.west, area.south, area.east, area.north].join(',')
    return this.#transport.pages(
      'listFleetAgents',
      { bbox, technology, state, q: search, limit: pageSize },
      options,
    )
  }
}
