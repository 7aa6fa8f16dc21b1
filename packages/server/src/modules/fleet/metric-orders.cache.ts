import { type TableMetric, tableMetrics } from '@manc/contract'
import type { FleetFilter, FleetListStore } from './fleet-list.store.ts'
import type { FleetTableStore } from './fleet-table.store.ts'
import { MetricOrder } from './metric-order.rules.ts'
import { fastIntervalS } from './newest-values.rules.ts'
import type { NewestValuesStore } from './newest-values.store.ts'
import { SharedReadCache } from './shared-read.cache.ts'

type Readings = ReadonlyMap<string, number>

interface KnownIds {
  ids: Promise<readonly string[]>
  expiresAtMs: number
}

interface KnownOrder {
  readings: Readings
  ids: readonly string[]
  order: MetricOrder
}

/** Pages of one order that are read within this time fit together. */
const lifetimeMs = 5000
/** Of all orders: about 50 MB. The oldest ones are forgotten. */
const maxIds = 1_000_000
const maxFilters = 20

/** The fleet in the order of a metric. Values are read at most every 5 s for all callers. */
export class MetricOrdersCache {
  readonly #table: FleetTableStore
  readonly #readings: Readonly<Record<TableMetric, SharedReadCache<Readings>>>
  /** By filter; the oldest first. */
  readonly #ids = new Map<string, KnownIds>()
  /** By filter and sort; the oldest first. */
  readonly #orders = new Map<string, KnownOrder>()

  constructor(deps: { table: FleetTableStore; list: FleetListStore; values: NewestValuesStore }) {
    this.#table = deps.table
    const read = async (metric: TableMetric): Promise<Readings> =>
      deps.values.ofMetric(metric, await deps.list.slowerThan(fastIntervalS))
    this.#readings = Object.fromEntries(
      tableMetrics.map((metric) => [metric, new SharedReadCache(() => read(metric))]),
    ) as Record<TableMetric, SharedReadCache<Readings>>
  }

  async order(
    filter: FleetFilter,
    metric: TableMetric,
    isDescending: boolean,
  ): Promise<{ order: MetricOrder; valueOf: (apId: string) => number | undefined }> {
    const filterKey = JSON.stringify(filter)
    const [readings, ids] = await Promise.all([
      this.#readings[metric].current(),
      this.#idsOf(filter, filterKey),
    ])
    const valueOf = (apId: string) => readings.get(apId)
    const key = `${metric} ${isDescending} ${filterKey}`
    const known = this.#orders.get(key)
    if (known?.readings === readings && known.ids === ids) return { order: known.order, valueOf }
    const order = new MetricOrder(isDescending ? ids.toReversed() : ids, valueOf, isDescending)
    this.#orders.delete(key)
    this.#orders.set(key, { readings, ids, order })
    this.#forgetOrders()
    return { order, valueOf }
  }

  #idsOf(filter: FleetFilter, key: string): Promise<readonly string[]> {
    const nowMs = performance.now()
    const known = this.#ids.get(key)
    if (known && nowMs < known.expiresAtMs) return known.ids
    const ids = this.#table.ids(filter)
    this.#ids.delete(key)
    this.#ids.set(key, { ids, expiresAtMs: nowMs + lifetimeMs })
    // Those who wait for it get the error.
    ids.catch(() => this.#ids.delete(key))
    for (const [each, { expiresAtMs }] of this.#ids)
      if (this.#ids.size > maxFilters || expiresAtMs < nowMs) this.#ids.delete(each)
    return ids
  }

  #forgetOrders(): void {
    let ids = 0
    for (const { order } of this.#orders.values()) ids += order.length
    for (const [key, { order }] of this.#orders) {
      if (ids <= maxIds || this.#orders.size === 1) break
      this.#orders.delete(key)
      ids -= order.length
    }
  }
}
