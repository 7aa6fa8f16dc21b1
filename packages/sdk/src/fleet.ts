import type { AgentState, Box, FleetAgent, FleetChanges, Technology } from '@manc/contract'
import { FleetMethods } from './generated/methods.ts'
import type { Stream } from './stream.ts'
import type { CallOptions, PageOptions } from './transport.ts'

export interface FleetFilter {
  area?: Box
  technology?: readonly Technology[]
  state?: readonly AgentState[]
  /** Part of the id or name. */
  search?: string
}

export class Fleet extends FleetMethods {
  /**
   * Changes since an earlier response: `after` is the `next` of that response. Without `after`, only the starting point is
   * returned: request it before you read the list. If `is_complete` is false, read the list again. The cost does not
   * depend on the size of the fleet, so polling every few seconds is fine.
   */
  changes(after?: string, options?: CallOptions): Promise<FleetChanges> {
    return this.transport.call(
      'getFleetChanges',
      { query: { ...(after !== undefined && { after }) } },
      options,
    )
  }

  /** Ordered by id. Read page by page while you iterate; `pageSize` is the number of items in a request. */
  agents({
    area,
    technology,
    state,
    search,
    pageSize = 1000,
    ...options
  }: FleetFilter & PageOptions = {}): Stream<FleetAgent> {
    const bbox = area && [area.west, area.south, area.east, area.north].join(',')
    return this.transport.pages(
      'listFleetAgents',
      { bbox, technology, state, q: search, limit: pageSize },
      options,
    )
  }
}
