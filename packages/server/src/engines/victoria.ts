import { VictoriaReads } from './victoria.reads.ts'

export class Victoria {
  readonly reads: VictoriaReads
  readonly #url: string

  constructor(options: { url: string }) {
    this.#url = options.url.replace(/\/$/, '')
    this.reads = new VictoriaReads(options)
  }

  async ping(): Promise<void> {
    await this.#get('/health', 1500)
  }

  /** Influx line protocol with times in milliseconds. Answered does not mean durable: see the ingester. */
  async write(lines: Uint8Array): Promise<void> {
    const answer = await fetch(`${this.#url}/write?precision=ms`, {
      method: 'POST',
      body: lines,
      signal: AbortSignal.timeout(30_000),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`the metrics store answered ${answer.status}: ${text.slice(0, 200)}`)
  }

  /** When this instance of the store was started, in seconds; another value is another instance. */
  async startedAt(): Promise<number> {
    const text = await this.#get('/metrics', 3000)
    const found = /^vm_app_start_timestamp (\S+)$/m.exec(text)?.[1]
    if (found === undefined) throw new Error('the metrics store does not say when it started')
    return Number(found)
  }

  /** Makes new series readable at once; costly, so at most once a second. */
  async flush(): Promise<void> {
    await this.#get('/internal/force_flush', 10_000)
  }

  async #get(path: string, withinMs: number): Promise<string> {
    const answer = await fetch(this.#url + path, { signal: AbortSignal.timeout(withinMs) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`the metrics store answered ${answer.status}: ${text.slice(0, 200)}`)
    return text
  }
}
