import type { Logger } from 'pino'
import type { Victoria } from '../../engines/victoria.ts'
import { Loop } from '../../loop.ts'
import type { Metrics } from '../../metrics.ts'
import type { Background } from '../../module.ts'
import type { MetricsGapsStore } from './metrics-gaps.store.ts'
import { StoreRepair } from './store-repair.service.ts'

interface Deps {
  victoria: Victoria
  gaps: MetricsGapsStore
  /** How long samples are kept. */
  retentionMs: number
  metrics: Metrics
  log: Logger
}

const intervalMs = 2000

/** Repairs the metrics stores. Runs in every subscriber; for each store, the one with the lease copies. */
export class StoreRepairs implements Background {
  readonly #deps: Deps
  readonly #loops: Loop[]

  constructor(deps: Deps) {
    this.#deps = deps
    const { victoria, gaps, log } = deps
    this.#loops = victoria.stores.map((store) => {
      const others = victoria.stores.filter((other) => other !== store)
      const repair = new StoreRepair({ store, others, gaps, log })
      return new Loop({
        name: `repairing the metrics store ${store.name}`,
        intervalMs,
        log,
        run: (signal) => repair.run(signal),
      })
    })
  }

  async start(): Promise<void> {
    const { victoria, gaps, retentionMs, metrics } = this.#deps
    const names = victoria.stores.map(({ name }) => name)
    // Also with one: if another is added later, it is known to be new.
    await gaps.register(names, Date.now() - retentionMs)
    if (names.length === 1) return
    metrics.gauge({
      name: 'manc_victoria_gap_seconds',
      help: 'Time in which a metrics store misses samples that another one has (all replicas), by store',
      labels: ['store'],
      keepMs: 5000,
      read: async () => {
        const totalsMs = await gaps.totals()
        return names.map((store) => ({ labels: { store }, value: (totalsMs.get(store) ?? 0) / 1000 }))
      },
    })
    for (const loop of this.#loops) loop.start()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()))
  }
}
