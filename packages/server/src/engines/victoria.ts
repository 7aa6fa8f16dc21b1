import { VictoriaHttp } from './victoria.http.ts'
import { VictoriaReads } from './victoria.reads.ts'

export class Victoria {
  readonly reads: VictoriaReads
  readonly #http: VictoriaHttp
  /** A separate connection pool: writes do not wait for reads. */
  readonly #readHttp: VictoriaHttp

  constructor(options: { url: string }) {
    this.#http = new VictoriaHttp(options)
    this.#readHttp = new VictoriaHttp(options)
    this.reads = new VictoriaReads(this.#readHttp)
  }

  async ping(): Promise<void> {
    await this.#http.request('/health')
  }

  /** Influx line protocol with times in milliseconds. A success does not mean durable: see the ingester. */
  async write(lines: Uint8Array): Promise<void> {
    await this.#http.request('/write?precision=ms', { body: lines, timeoutMs: 30_000 })
  }

  /** When this instance of the store was started, in seconds; another value is another instance. */
  async startedAt(): Promise<number> {
    const text = await this.#http.request('/metrics', { timeoutMs: 3000 })
    const found = /^vm_app_start_timestamp (\S+)$/m.exec(text ?? '')?.[1]
    if (found === undefined) throw new Error('the metrics store has no vm_app_start_timestamp in /metrics')
    return Number(found)
  }

  /** Makes new series readable immediately. Costly: at most once a second. */
  async flush(): Promise<void> {
    await this.#http.request('/internal/force_flush', { timeoutMs: 10_000 })
  }

  stop(): void {
    this.#http.stop()
    this.#readHttp.stop()
  }
}
