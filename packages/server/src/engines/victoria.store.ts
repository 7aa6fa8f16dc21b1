import { type Address, copy } from './victoria.copy.ts'
import { VictoriaHttp } from './victoria.http.ts'
import type { Span } from './victoria.reads.ts'

const copyIdleMs = 60_000

/** One VictoriaMetrics. */
export class VictoriaStore {
  /** Host, port and path of its URL, without the password. */
  readonly name: string
  /** A separate connection pool: writes do not wait for reads. */
  readonly readHttp: VictoriaHttp
  readonly #url: URL
  readonly #http: VictoriaHttp

  constructor(options: { url: string }) {
    this.#url = new URL(options.url)
    this.name = nameOf(options.url)
    this.#http = new VictoriaHttp(options)
    this.readHttp = new VictoriaHttp(options)
  }

  async ping(options: { timeoutMs?: number } = {}): Promise<void> {
    await this.#http.request('/health', options)
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

  /** Bytes on its disk. Files of other programs there are not known. */
  async disk(): Promise<{ free: number; data: number; isReadOnly: boolean }> {
    const text = (await this.#http.request('/metrics', { timeoutMs: 3000 })) ?? ''
    const sum = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))]
        .map(([, value]) => Number(value))
        .reduce((total, value) => total + value, 0)
    if (!text.includes('vm_free_disk_space_bytes'))
      throw new Error('the metrics store has no vm_free_disk_space_bytes in /metrics')
    return {
      free: sum('vm_free_disk_space_bytes'),
      data: sum('vm_data_size_bytes'),
      isReadOnly: sum('vm_storage_is_read_only') > 0,
    }
  }

  /** Makes new series readable immediately. Costly: at most once a second. */
  async flush(): Promise<void> {
    await this.#http.request('/internal/force_flush', { timeoutMs: 10_000 })
  }

  /** Copies the samples of a span from another store. Those that this one has are not stored twice. Returns the bytes. */
  copyFrom(source: VictoriaStore, series: string, span: Span, signal: AbortSignal): Promise<number> {
    const query = new URLSearchParams({
      'match[]': series,
      start: String(span.fromMs / 1000),
      end: String(span.toMs / 1000),
    })
    return copy(
      source.#address(`/api/v1/export/native?${query.toString()}`),
      this.#address('/api/v1/import/native'),
      { idleMs: copyIdleMs, signal },
    )
  }

  stop(): void {
    this.#http.stop()
    this.readHttp.stop()
  }

  #address(path: string): Address {
    const { origin, pathname, username, password } = this.#url
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return {
      url: origin + pathname.replace(/\/$/, '') + path,
      headers: username === '' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` },
    }
  }
}

/** Identifies a store by its URL, without disclosing the password. */
function nameOf(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname.replace(/\/$/, '')
}
