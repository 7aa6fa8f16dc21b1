import http from 'node:http'
import https from 'node:https'
import { unavailable } from '../errors.ts'

/** Both ends belong to it. */
export interface Span {
  fromMs: number
  toMs: number
}

/** One series of a query's answer; values are texts, also `NaN` and `+Inf`. */
interface Found {
  metric: Record<string, string>
  /** Of a query at one moment. */
  value?: [seconds: number, value: string]
  /** Of a query over a range. */
  values?: [seconds: number, value: string][]
}

interface Limits {
  /** Longest silence. */
  withinMs?: number
  maxBytes?: number
  signal?: AbortSignal
}

/** A caller learns within 2 s that the store does not answer. */
const answerWithinMs = 1500
const longestQueryMs = 30_000
/** Beyond this many, requests wait here, and those that wait too long are told to come back. */
const connections = 64

/** Series by their labels. Go reads what JSON writes as a string, so no value can leave its quotes. */
export function selector(labels: Record<string, string>): string {
  const filters = Object.entries(labels).map(
    ([name, value]) => `${name}=${JSON.stringify(value.toWellFormed())}`,
  )
  return `{${filters.join(',')}}`
}

/** The reading half of the door to VictoriaMetrics. Plain `node:http`: for small answers fetch costs more than the answer. */
export class VictoriaReads {
  readonly #client: typeof http | typeof https
  readonly #agent: http.Agent
  readonly #server: http.RequestOptions
  readonly #prefix: string

  constructor(options: { url: string }) {
    const url = new URL(options.url)
    this.#client = url.protocol === 'https:' ? https : http
    this.#agent = new this.#client.Agent({ keepAlive: true, maxSockets: connections })
    this.#prefix = url.pathname.replace(/\/$/, '')
    this.#server = {
      agent: this.#agent,
      hostname: url.hostname.replaceAll(/[[\]]/g, ''),
      port: url.port,
      ...(url.username !== '' && {
        auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`,
      }),
    }
  }

  /** Raw points, one series a line. Undefined where there is more than `maxBytes`: the rest is not read. */
  export(selectors: readonly string[], span: Span, maxBytes = Infinity): Promise<string | undefined> {
    let query = `start=${span.fromMs / 1000}&end=${span.toMs / 1000}`
    for (const each of selectors) query += `&match[]=${encodeURIComponent(each)}`
    return this.#get(`/api/v1/export?${query}`, { maxBytes })
  }

  /** The value of an expression at one moment. */
  queryAt(expression: string, atMs: number): Promise<Found[]> {
    return this.#query('/api/v1/query', { query: expression, time: String(atMs / 1000) })
  }

  /** The values of an expression at every step of a span. */
  queryRange(expression: string, { fromMs, toMs }: Span, stepMs: number): Promise<Found[]> {
    return this.#query('/api/v1/query_range', {
      query: expression,
      start: String(fromMs / 1000),
      end: String(toMs / 1000),
      step: `${stepMs}ms`,
    })
  }

  /** The newest point within a span of every series with one of these names: a line each, `name{labels} value ms`. */
  newest(names: readonly string[], { fromMs, toMs }: Span): Promise<string> {
    const query = new URLSearchParams({
      'match[]': `{__name__=~"${names.join('|')}"}`,
      start: String(fromMs / 1000),
      end: String(toMs / 1000),
    })
    return this.#patiently(`/federate?${query.toString()}`)
  }

  /** Whether there is, or was within the store's retention, any series with this label. */
  async hasLabel(name: string, value: string): Promise<boolean> {
    const query = new URLSearchParams({ 'match[]': selector({ [name]: value }), start: '0' })
    const text = await this.#get(`/api/v1/label/${name}/values?${query.toString()}`)
    return (JSON.parse(text ?? '') as { data: unknown[] }).data.length > 0
  }

  stop(): void {
    this.#agent.destroy()
  }

  /** Not cached: samples may be back-filled. */
  async #query(path: string, parameters: Record<string, string>): Promise<Found[]> {
    const query = new URLSearchParams({ ...parameters, nocache: '1' })
    const text = await this.#patiently(`${path}?${query.toString()}`)
    return (JSON.parse(text) as { data: { result: Found[] } }).data.result
  }

  /** A query over a month may take its time, and one that is never answered must not: the store's health is asked beside it. */
  async #patiently(path: string): Promise<string> {
    const gone = new AbortController()
    this.#get('/health').catch((error: unknown) => gone.abort(error))
    return (await this.#get(path, { withinMs: longestQueryMs, signal: gone.signal })) ?? ''
  }

  #get(path: string, limits: Limits = {}, isRetry = false): Promise<string | undefined> {
    const { withinMs = answerWithinMs, maxBytes = Infinity, signal } = limits
    return new Promise((resolve, reject) => {
      const outgoing = this.#client.get({ ...this.#server, path: this.#prefix + path })
      const timer = setTimeout(() => outgoing.destroy(new Error(`silent for ${withinMs} ms`)), withinMs)
      const giveUp = () => outgoing.destroy(signal?.reason as Error)
      signal?.addEventListener('abort', giveUp, { once: true })
      outgoing.once('close', () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The store closes connections that were idle for long, perhaps just as one of them is used again.
        const wasClosed = outgoing.reusedSocket && error.code === 'ECONNRESET' && !isRetry
        if (wasClosed) resolve(this.#get(path, limits, true))
        else reject(unavailable('The metrics store', error))
      })
      outgoing.on('response', (answer) => {
        const pieces: Buffer[] = []
        let bytes = 0
        answer.on('error', (error) => reject(unavailable('The metrics store', error)))
        answer.on('data', (piece: Buffer) => {
          timer.refresh()
          pieces.push(piece)
          bytes += piece.length
          if (bytes <= maxBytes) return
          resolve(undefined)
          outgoing.destroy()
        })
        answer.on('end', () => {
          const text = textOf(pieces)
          const { statusCode = 0 } = answer
          if (statusCode === 200) return resolve(text)
          const error = new Error(`the metrics store answered ${statusCode}: ${text.slice(0, 200)}`)
          reject(statusCode >= 500 ? unavailable('The metrics store', error) : error)
        })
      })
    })
  }
}

const textOf = (pieces: Buffer[]): string =>
  (pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)).toString('utf8')
