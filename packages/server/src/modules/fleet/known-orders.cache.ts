import { LRUCache } from 'lru-cache'
import type { MetricOrder } from './metric-order.rules.ts'

interface KnownOrder {
  /** Not kept in memory by the order: a fleet has new readings every few seconds. */
  readings: WeakRef<object>
  ids: readonly string[]
  order: MetricOrder
}

interface Options {
  maxIds?: number
  lifetimeMs?: number
}

const maxOrders = 20
/** Of all orders: about 50 MB. */
const defaultMaxIds = 1_000_000
/** Twice as long as readings are used. */
const defaultLifetimeMs = 10_000

/** Orders that were computed lately, by filter and sort. */
export class KnownOrders {
  readonly #orders: LRUCache<string, KnownOrder>
  readonly #maxIds: number

  constructor({ maxIds = defaultMaxIds, lifetimeMs = defaultLifetimeMs }: Options = {}) {
    this.#maxIds = maxIds
    this.#orders = new LRUCache({ max: maxOrders, maxSize: maxIds, ttl: lifetimeMs, ttlAutopurge: true })
  }

  get size(): number {
    return this.#orders.size
  }

  /** Undefined if it was computed from others. */
  get(key: string, readings: object, ids: readonly string[]): MetricOrder | undefined {
    const known = this.#orders.get(key)
    return known?.ids === ids && known.readings.deref() === readings ? known.order : undefined
  }

  set(key: string, readings: object, ids: readonly string[], order: MetricOrder): void {
    // An order of a larger fleet is kept alone.
    const size = Math.min(this.#maxIds, Math.max(1, order.length))
    this.#orders.set(key, { readings: new WeakRef(readings), ids, order }, { size })
  }
}
