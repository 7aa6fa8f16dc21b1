import type { Logger } from 'pino'
import type { VictoriaStore } from '../../engines/victoria.store.ts'
import { Loop } from '../../loop.ts'

/** After a new series, how long samples are made readable at once. */
const newSeriesFlushMs = 3000
/** With the batch delay before and the cached reads after it, a sample is readable in less than 2 s. */
const minFlushIntervalMs = 650
/** Up to this much written data a flush costs the metrics store little. */
const cheapFlushBytes = 256 * 1024

/**
 * By itself a store makes samples readable once a second, and those of a new series seconds later. A flush does it at
 * once: used while new series may be in progress, and while there is so little data that it costs nothing.
 */
export class StoreFlush {
  readonly #store: VictoriaStore
  readonly #loop: Loop
  #flushUntil = Number.NEGATIVE_INFINITY
  #flushedAt = Number.NEGATIVE_INFINITY
  #bytesSinceFlush = 0

  constructor({ store, log }: { store: VictoriaStore; log: Logger }) {
    this.#store = store
    this.#loop = new Loop({
      name: `making samples in ${store.name} readable`,
      intervalMs: 100,
      log,
      run: () => this.#flush(),
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  expectNewSeries(): void {
    this.#flushUntil = performance.now() + newSeriesFlushMs
  }

  wrote(bytes: number): void {
    this.#bytesSinceFlush += bytes
    // Without waiting for the loop; if it fails, the loop retries.
    this.#flush().catch(() => {})
  }

  async #flush(): Promise<void> {
    const now = performance.now()
    if (now < this.#flushedAt + minFlushIntervalMs) return
    const isWorthIt =
      now < this.#flushUntil || (this.#bytesSinceFlush > 0 && this.#bytesSinceFlush < cheapFlushBytes)
    this.#flushedAt = this.#bytesSinceFlush > 0 || isWorthIt ? now : this.#flushedAt
    this.#bytesSinceFlush = 0
    if (isWorthIt) await this.#store.flush()
  }
}
