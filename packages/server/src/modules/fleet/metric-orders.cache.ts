import { type TableMetric, tableMetrics } from '@manc/contract'
import type { FleetFilter } from './fleet-list.store.ts'
import type { FleetTableStore } from './fleet-table.store.ts'
import { MetricOrder } from './metric-order.rules.ts'
import type { NewestValuesStore, Values } from './newest-values.store.ts'
import { SharedReadCache } from './shared-read.cache.ts'

interface Reading {
  readonly values: ReadonlyMap<string, Values>
}

interface Known {
  reading: Reading
  expiresAtMs: number
  order: Promise<MetricOrder>
  length: number
}

/** Pages of one order that are read within this time fit together. */
const lifetimeMs = 5000
/** Of all orders: about 50 MB. The oldest ones are forgotten. */
const maxIds = 1_000_000

/** The fleet in the order of a metric. Values are read at most every 5 s for all callers. */
export class MetricOrdersCache {
  readonly #table: FleetTableStore
  readonly #readings: ReadonlyMap<TableMetric, SharedReadCache<Reading>>
  /** By filter and sort; the oldest first. */
  readonly #orders = new Map<string, Known>()

  constructor(deps: { table: FleetTableStore; values: NewestValuesStore }) {
    this.#table = deps.table
    this.#readings = new Map(
      tableMetrics.map((metric) => [
        metric,
        new SharedReadCache(async () => ({ values: await deps.values.ofAll([metric]) })),
      ]),
    )
  }

  async order(
    filter: FleetFilter,
    metric: TableMetric,
    isDescending: boolean,
  ): Promise<{ order: MetricOrder; valueOf: (apId: string) => number | undefined }> {
    const reading = await this.#readings.get(metric)?.current()
    const valueOf = (apId: string) => reading?.values.get(apId)?.[0]
    const key = JSON.stringify([metric, isDescending, filter])
    const nowMs = performance.now()
    const known = this.#orders.get(key)
    if (known && known.reading === reading && nowMs < known.expiresAtMs)
      return { order: await known.order, valueOf }
    const order = this.#make(filter, valueOf, isDescending)
    const made: Known = { reading: reading ?? none, expiresAtMs: nowMs + lifetimeMs, order, length: 0 }
    this.#orders.delete(key)
    this.#orders.set(key, made)
    order.then(
      ({ length }) => {
        made.length = length
        this.#forgetOldest(nowMs)
      },
      () => this.#orders.delete(key),
    )
    return { order: await order, valueOf }
  }

  async #make(
    filter: FleetFilter,
    valueOf: (apId: string) => number | undefined,
    isDescending: boolean,
  ): Promise<MetricOrder> {
    const ids = await this.#table.ids(filter)
    return new MetricOrder(isDescending ? ids.toReversed() : ids, valueOf, isDescending)
  }

  #forgetOldest(nowMs: number): void {
    let ids = 0
    for (const { length } of this.#orders.values()) ids += length
    for (const [key, { length, expiresAtMs }] of this.#orders) {
      if (ids <= maxIds && expiresAtMs > nowMs) break
      this.#orders.delete(key)
      ids -= length
    }
  }
}

const none: Reading = { values: new Map() }
