import type { Logger } from 'pino'
import { VictoriaFailover } from './victoria.failover.ts'
import type { VictoriaHttp } from './victoria.http.ts'
import { VictoriaReads } from './victoria.reads.ts'
import { VictoriaStore } from './victoria.store.ts'

/** The metrics stores. Each has all samples: the ingester writes to all of them, and reads use one of them. */
export class Victoria {
  readonly stores: readonly VictoriaStore[]
  readonly reads: VictoriaReads
  /** For responses that are passed on as they are. */
  readonly streams: Pick<VictoriaHttp, 'stream'>
  /** Undefined with a single store. */
  readonly #failover: VictoriaFailover | undefined

  constructor({ urls, log }: { urls: readonly string[]; log: Logger }) {
    const [first, ...others] = urls.map((url) => new VictoriaStore({ url }))
    if (!first) throw new Error('there is no URL of a metrics store')
    this.stores = [first, ...others]
    this.#failover = others.length > 0 ? new VictoriaFailover(this.stores, log) : undefined
    this.streams = this.#failover ?? first.readHttp
    this.reads = new VictoriaReads(this.#failover ?? first.readHttp)
  }

  start(): void {
    this.#failover?.start()
  }

  /** How much of the time each store misses samples of, by its name: reads prefer one that misses nothing. */
  setGaps(gapsMs: ReadonlyMap<string, number>): void {
    this.#failover?.setGaps(gapsMs)
  }

  async stop(): Promise<void> {
    await this.#failover?.stop()
    for (const store of this.stores) store.stop()
  }
}
