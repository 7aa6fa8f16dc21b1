import { type SortOrder, type TableMetric, type TableSort, tableMetrics } from '@manc/contract'
import type { Logger } from 'pino'
import { Refused } from '../../errors.ts'
import type { FleetFilter, FleetListStore } from './fleet-list.store.ts'
import type { FleetTableStore, StoredSort, TableRow, Window } from './fleet-table.store.ts'
import type { MetricOrdersCache } from './metric-orders.cache.ts'
import type { NewestValuesStore, Values } from './newest-values.store.ts'

type Metrics = Record<TableMetric, number | null>

export interface TablePage {
  total: number
  rows: (TableRow & { metrics: Metrics })[]
  hasMetrics: boolean
}

interface Deps {
  table: FleetTableStore
  list: FleetListStore
  values: NewestValuesStore
  orders: MetricOrdersCache
  log: Logger
}

interface Read {
  filter: FleetFilter
  sort: TableSort
  order: SortOrder | undefined
  window: Window
}

/** Rows are shown without metrics if these take longer. */
const metricsTimeoutMs = 2000

const isMetric = (sort: TableSort): sort is TableMetric =>
  (tableMetrics as readonly TableSort[]).includes(sort)

/** The largest and the newest are of interest; other columns begin with the first of the alphabet, or the worst. */
const defaultOrder = (sort: TableSort): SortOrder => (isMetric(sort) || sort === 'last_seen' ? 'desc' : 'asc')

/** Pages of the table of access points. */
export class FleetTableService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async page({ filter, sort, order = defaultOrder(sort), window }: Read): Promise<TablePage> {
    const isDescending = order === 'desc'
    return isMetric(sort)
      ? this.#byMetric(filter, sort, isDescending, window)
      : this.#byColumn(filter, sort, isDescending, window)
  }

  async #byColumn(
    filter: FleetFilter,
    sort: StoredSort,
    isDescending: boolean,
    window: Window,
  ): Promise<TablePage> {
    const [total, rows] = await Promise.all([
      this.count(filter),
      this.#deps.table.page(filter, sort, isDescending, window),
    ])
    const values = await this.#valuesOf(rows)
    return {
      total,
      rows: rows.map((row) => ({ ...row, metrics: metricsOf(values?.get(row.apId)) })),
      hasMetrics: values !== undefined,
    }
  }

  async #byMetric(
    filter: FleetFilter,
    metric: TableMetric,
    isDescending: boolean,
    { offset, limit }: Window,
  ): Promise<TablePage> {
    const { order, valueOf } = await this.#deps.orders.order(filter, metric, isDescending)
    const rows = await this.#deps.table.rows(order.page(offset, limit))
    const values = await this.#valuesOf(rows)
    return {
      total: order.length,
      rows: rows.map((row) => ({
        ...row,
        // The value by which the row has its place: a newer one would seem to be in the wrong one.
        metrics: { ...metricsOf(values?.get(row.apId)), [metric]: valueOf(row.apId) ?? null },
      })),
      hasMetrics: values !== undefined,
    }
  }

  /** From the counts of the fleet where they are enough: that costs the same for any number of agents. */
  async count(filter: FleetFilter): Promise<number> {
    const { view, ids, box, text, technologies, states, healths } = filter
    if (ids || box || text || view.patterns) return this.#deps.table.count(filter)
    const counts = await this.#deps.list.counts(view)
    return counts
      .filter(
        ({ technology, state, health }) =>
          (technologies?.includes(technology) ?? true) &&
          (states?.includes(state) ?? true) &&
          (healths?.includes(health) ?? true),
      )
      .reduce((sum, { agents }) => sum + agents, 0)
  }

  /** The newest values of other metrics than those of the table, by access point and metric. Undefined without the metrics store. */
  async newest<Name extends string>(
    rows: readonly TableRow[],
    names: readonly Name[],
  ): Promise<Map<string, Partial<Record<Name, number>>> | undefined> {
    const values = await this.#valuesOf(rows, names)
    if (!values) return undefined
    return new Map(
      Array.from(values, ([apId, found]) => {
        const known = names.map((name, index) => [name, found[index]] as const)
        const finite = known.filter(([, value]) => Number.isFinite(value))
        return [apId, Object.fromEntries(finite) as Partial<Record<Name, number>>]
      }),
    )
  }

  /** Undefined if the metrics store does not answer: the rest of the table is useful without it. */
  async #valuesOf(
    rows: readonly TableRow[],
    names: readonly string[] = tableMetrics,
  ): Promise<Map<string, Values> | undefined> {
    const { values, log } = this.#deps
    if (rows.length === 0) return new Map()
    // Aborted and not only left: queries that go on would add up in a slow store.
    return values.of(rows, names, AbortSignal.timeout(metricsTimeoutMs)).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error
      log.warn({ err: error }, 'newest values of access points are missing')
      return undefined
    })
  }
}

const metricsOf = (values: Values | undefined): Metrics =>
  Object.fromEntries(
    tableMetrics.map((metric, index) => {
      const value = values?.[index] ?? Number.NaN
      return [metric, Number.isFinite(value) ? value : null]
    }),
  ) as Metrics
