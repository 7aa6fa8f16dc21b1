import type { VictoriaStore } from '../../engines/victoria.store.ts'

/** Within this time after a metrics store answers again, ingesters have written again what its crash lost. */
const settleMs = 15_000

/**
 * Knows the metrics stores that were restarted lately. A crash loses the samples of the last seconds: until ingesters have
 * written them again, the newest samples of the store are older ones that were good or bad before.
 */
export class StoreRestarts {
  readonly #stores: readonly Pick<VictoriaStore, 'name' | 'startedAt'>[]
  readonly #instances = new Map<string, { startedAt: number; settledAtMs: number }>()

  constructor(stores: readonly Pick<VictoriaStore, 'name' | 'startedAt'>[]) {
    this.#stores = stores
  }

  /**
   * To be called after the query whose result is used. A store that does not answer is left out: it gives no results either.
   */
  async areRecent(): Promise<boolean> {
    const recent = await Promise.all(this.#stores.map((store) => this.#isRecent(store).catch(() => false)))
    return recent.includes(true)
  }

  async #isRecent(store: Pick<VictoriaStore, 'name' | 'startedAt'>): Promise<boolean> {
    const startedAt = await store.startedAt()
    const known = this.#instances.get(store.name)
    if (known?.startedAt === startedAt) return performance.now() < known.settledAtMs
    // Of an instance that this process has not seen before only its age is known. Clocks may differ.
    const ageMs = known ? 0 : Math.max(0, Date.now() - startedAt * 1000)
    const settledAtMs = performance.now() + settleMs - Math.min(ageMs, settleMs)
    this.#instances.set(store.name, { startedAt, settledAtMs })
    return ageMs < settleMs
  }
}
