import { type TableMetric, tableMetrics } from '@manc/contract'
import { LRUCache } from 'lru-cache'
import { sharedView } from './fleet.rules.ts'
import type { FleetFilter } from './fleet-list.store.ts'
import type { FleetTableStore } from './fleet-table.store.ts'
import { KnownOrders } from './known-orders.cache.ts'
import { MetricOrder } from './metric-order.rules.ts'
import type { NewestValuesStore } from './newest-values.store.ts'
import { SharedReadCache } from './shared-read.cache.ts'

type Readings = ReadonlyMap<string, number>

/** Pages of one order that are read within this time fit together. */
const lifetimeMs = 5000
const maxFilters = 20

/** The fleet in the order of a metric. Values are read at most every 5 s for all callers. */
export class MetricOrdersCache {
  readonly #table: FleetTableStore
  readonly #readings: Readonly<Record<TableMetric, SharedReadCache<Readings>>>
  /** By filter. */
  readonly #ids = new LRUCache<string, Promise<readonly string[]>>({
    max: maxFilters,
    ttl: lifetimeMs,
    ttlAutopurge: true,
  })
  readonly #orders = new KnownOrders()

  constructor(deps: { table: FleetTableStore; values: NewestValuesStore }) {
    this.#table = deps.table
    this.#readings = Object.fromEntries(
      tableMetrics.map((metric) => [
        metric,
        new SharedReadCache<Readings>(() => deps.values.ofMetric(metric)),
      ]),
    ) as Record<TableMetric, SharedReadCache<Readings>>
  }

  async order(
    filter: FleetFilter,
    metric: TableMetric,
    isDescending: boolean,
  ): Promise<{ order: MetricOrder; valueOf: (apId: string) => number | undefined }> {
    const { emulated, owner } = filter.view
    const isOwner = emulated === 'own' && (await this.#table.ownsEmulated(owner))
    const shared = { ...filter, view: sharedView(filter.view, isOwner) }
    const filterKey = JSON.stringify(shared)
    const [readings, ids] = await Promise.all([
      this.#readings[metric].current(),
      this.#idsOf(shared, filterKey),
    ])
    const valueOf = (apId: string) => readings.get(apId)
    const key = `${metric} ${isDescending} ${filterKey}`
    const known = this.#orders.get(key, readings, ids)
    if (known) return { order: known, valueOf }
    const order = new MetricOrder(isDescending ? ids.toReversed() : ids, valueOf, isDescending)
    this.#orders.set(key, readings, ids, order)
    return { order, valueOf }
  }

  #idsOf(filter: FleetFilter, key: string): Promise<readonly string[]> {
    const known = this.#ids.get(key)
    if (known) return known
    const ids = this.#table.ids(filter)
    this.#ids.set(key, ids)
    // Those who wait for it get the error. By then, a later read may have replaced it.
    ids.catch(() => {
      if (this.#ids.peek(key) === ids) this.#ids.delete(key)
    })
    return ids
  }
}
