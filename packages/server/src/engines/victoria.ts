import { VictoriaReads } from './victoria.reads.ts'
import { VictoriaWire } from './victoria.wire.ts'

export class Victoria {
  readonly reads: VictoriaReads
  readonly #wire: VictoriaWire
  /** Of its own: however many read, what is written need not wait for them. */
  readonly #readWire: VictoriaWire

  constructor(options: { url: string }) {
    this.#wire = new VictoriaWire(options)
    this.#readWire = new VictoriaWire(options)
    this.reads = new VictoriaReads(this.#readWire)
  }

  async ping(): Promise<void> {
    await this.#wire.ask('/health')
  }

  /** Influx line protocol with times in milliseconds. Answered does not mean durable: see the ingester. */
  async write(lines: Uint8Array): Promise<void> {
    await this.#wire.ask('/write?precision=ms', { body: lines, withinMs: 30_000 })
  }

  /** When this instance of the store was started, in seconds; another value is another instance. */
  async startedAt(): Promise<number> {
    const text = await this.#wire.ask('/metrics', { withinMs: 3000 })
    const found = /^vm_app_start_timestamp (\S+)$/m.exec(text ?? '')?.[1]
    if (found === undefined) throw new Error('the metrics store does not say when it started')
    return Number(found)
  }

  /** Makes new series readable at once; costly, so at most once a second. */
  async flush(): Promise<void> {
    await this.#wire.ask('/internal/force_flush', { withinMs: 10_000 })
  }

  stop(): void {
    this.#wire.stop()
    this.#readWire.stop()
  }
}
