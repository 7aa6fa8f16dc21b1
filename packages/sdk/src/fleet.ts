import type {
  AgentState,
  Box,
  EmulatedChoice,
  FleetAgent,
  FleetCells,
  FleetChanges,
  FleetFigures,
  FleetOrder,
  FleetSummary,
  FleetTable,
  FleetTrends,
  Health,
  MapLayers,
  SortOrder,
  TableSort,
  Technology,
} from '@manc/contract'
import { Resource } from './resource.ts'
import type { Stream } from './stream.ts'
import type { CallOptions, PageOptions } from './transport.ts'

export interface FleetFilter {
  /** At most 100. */
  ids?: readonly string[]
  area?: Box
  /** With `area`: also agents without a position. */
  unplaced?: boolean
  technology?: readonly Technology[]
  state?: readonly AgentState[]
  health?: readonly Health[]
  /** Part of the id or name. */
  search?: string
  emulated?: EmulatedChoice
  /** By id, or by health with the worst first. */
  sort?: FleetOrder
}

export interface FleetTableOptions extends Omit<FleetFilter, 'sort'>, CallOptions {
  /** The default is the health, the worst first. */
  sort?: TableSort
  /** The default is `desc` for metrics and `last_seen`, and `asc` for other columns. */
  order?: SortOrder
  offset?: number
  /** The default is 100, the maximum 5000. */
  limit?: number
}

export interface FleetCellsOptions extends Omit<FleetFilter, 'sort'>, CallOptions {
  loads?: boolean
}

/** Emulated agents of other callers are left out, unless `emulated` is `all`. */
export interface FleetOptions extends CallOptions {
  emulated?: EmulatedChoice
}

export class Fleet extends Resource {
  /** Counts by technology, state and health. Can be polled once a second. */
  summary({ emulated, ...options }: FleetOptions = {}): Promise<FleetSummary> {
    return this.transport.call('getFleetSummary', { query: { ...(emulated && { emulated }) } }, options)
  }

  /** Sums and averages of the current metrics by technology, computed at most every 5 s; with `loads` also the load of each agent. */
  figures({ emulated, loads, ...options }: FleetOptions & { loads?: boolean } = {}): Promise<FleetFigures> {
    return this.transport.call(
      'getFleetFigures',
      { query: { ...(emulated && { emulated }), ...(loads && { loads }) } },
      options,
    )
  }

  /** Counts and sums of the last hour, one value a minute. */
  trends({ emulated, ...options }: FleetOptions = {}): Promise<FleetTrends> {
    return this.transport.call('getFleetTrends', { query: { ...(emulated && { emulated }) } }, options)
  }

  /** What a map shows below the access points. */
  mapLayers(options?: CallOptions): Promise<MapLayers> {
    return this.transport.call('getMapLayers', {}, options)
  }

  /**
   * Changes since an earlier response: `after` is the `next` of that response. Without `after`, only the starting point is
   * returned: request it before you read the list. If `is_complete` is false, read the list again. The cost does not
   * depend on the size of the fleet, so polling every few seconds is fine.
   */
  changes(after?: string, { emulated, ...options }: FleetOptions = {}): Promise<FleetChanges> {
    return this.transport.call(
      'getFleetChanges',
      { query: { ...(after !== undefined && { after }), ...(emulated && { emulated }) } },
      options,
    )
  }

  /** Ordered by id, unless `sort` is `health`. Read page by page while you iterate; `pageSize` is the number of items in a request. */
  agents({
    ids,
    area,
    unplaced,
    technology,
    state,
    health,
    search,
    emulated,
    sort,
    pageSize = 1000,
    ...options
  }: FleetFilter & PageOptions = {}): Stream<FleetAgent> {
    const bbox = area && boxOf(area)
    return this.transport.pages(
      'listFleetAgents',
      { ap_id: ids, bbox, unplaced, technology, state, health, q: search, emulated, sort, limit: pageSize },
      options,
    )
  }

  /** Rows of the table of access points, with their current metrics, and the number of all that match. */
  table({ sort, order, offset, limit, ...rest }: FleetTableOptions = {}): Promise<FleetTable> {
    const { query, options } = filterOf(rest)
    return this.transport.call(
      'getFleetTable',
      {
        query: {
          ...query,
          ...(sort && { sort }),
          ...(order && { order }),
          ...(offset !== undefined && { offset }),
          ...(limit !== undefined && { limit }),
        },
      },
      options,
    )
  }

  /** For maps: agents one by one, or grouped in cells if they are many. With `loads` also their loads. */
  cells({ loads, ...rest }: FleetCellsOptions = {}): Promise<FleetCells> {
    const { query, options } = filterOf(rest)
    return this.transport.call('getFleetCells', { query: { ...query, ...(loads && { loads }) } }, options)
  }
}

/** The query parameters of a filter, and the other options. */
function filterOf({
  ids,
  area,
  unplaced,
  technology,
  state,
  health,
  search,
  emulated,
  ...options
}: Omit<FleetFilter, 'sort'> & CallOptions) {
  const query = {
    ...(ids && { ap_id: ids }),
    ...(area && { bbox: boxOf(area) }),
    ...(unplaced !== undefined && { unplaced }),
    ...(technology && { technology }),
    ...(state && { state }),
    ...(health && { health }),
    ...(search !== undefined && { q: search }),
    ...(emulated && { emulated }),
  }
  return { query, options }
}

const boxOf = ({ west, south, east, north }: Box) => [west, south, east, north].join(',')
