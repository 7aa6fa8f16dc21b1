import { unavailable } from '../errors.ts'
import type { VictoriaHttp } from './victoria.http.ts'

/** Both ends included. */
export interface Span {
  fromMs: number
  toMs: number
}

/** One series of a query's result; values are texts, including `NaN` and `+Inf`. */
interface Series {
  metric: Record<string, string>
  /** Of an instant query. */
  value?: [seconds: number, value: string]
  /** Of a range query. */
  values?: [seconds: number, value: string][]
}

const queryTimeoutMs = 30_000
/** Enough for one metric of a million agents, with ids of 80 characters. */
const maxNewestBytes = 128 * 1024 * 1024

/**
 * Selects series by labels, each with one value or with one of several. JSON string escapes are valid in Go strings, so a
 * value cannot break out of its quotes.
 */
export function selector(labels: Record<string, string | readonly string[]>): string {
  const filters = Object.entries(labels).map(([name, value]) =>
    typeof value === 'string'
      ? `${name}=${JSON.stringify(value.toWellFormed())}`
      : `${name}=~${JSON.stringify(value.map(escapeForRegExp).join('|'))}`,
  )
  return `{${filters.join(',')}}`
}

/** `RegExp.escape` uses escapes that Go does not have. */
export const escapeForRegExp = (text: string): string =>
  text.toWellFormed().replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** Queries of VictoriaMetrics. */
export class VictoriaReads {
  readonly #http: Pick<VictoriaHttp, 'request'>

  constructor(http: Pick<VictoriaHttp, 'request'>) {
    this.#http = http
  }

  /** Raw samples, one series per line. Undefined where there is more than `maxBytes`: the rest is not read. */
  export(series: string, span: Span, maxBytes = Infinity): Promise<string | undefined> {
    const query = `start=${span.fromMs / 1000}&end=${span.toMs / 1000}&match[]=${encodeURIComponent(series)}`
    return this.#http.request(`/api/v1/export?${query}`, { maxBytes })
  }

  /** The value of an expression at one time. */
  queryAt(expression: string, atMs: number): Promise<Series[]> {
    return this.#query('/api/v1/query', { query: expression, time: String(atMs / 1000) })
  }

  /** The values of an expression at each step of a span. */
  queryRange(expression: string, { fromMs, toMs }: Span, stepMs: number): Promise<Series[]> {
    return this.#query('/api/v1/query_range', {
      query: expression,
      start: String(fromMs / 1000),
      end: String(toMs / 1000),
      step: `${stepMs}ms`,
    })
  }

  /**
   * The newest sample in a span of every series with one of these names, or of these agents only: one line each,
   * `name{labels} value ms`.
   */
  newest(
    names: readonly string[],
    { fromMs, toMs }: Span,
    apIds?: readonly string[],
    signal?: AbortSignal,
  ): Promise<string> {
    const query = new URLSearchParams({
      'match[]': selector({ __name__: names, ...(apIds && { ap_id: apIds }) }),
      start: String(fromMs / 1000),
      end: String(toMs / 1000),
    })
    return this.#requestSlow(`/federate?${query.toString()}`, maxNewestBytes, signal)
  }

  /** Whether any series within the store's retention has this label. */
  async hasLabel(name: string, value: string): Promise<boolean> {
    // Not 0, which newer versions take as unset: then only today's series are found.
    const query = new URLSearchParams({ 'match[]': selector({ [name]: value }), start: '1' })
    const text = await this.#http.request(`/api/v1/label/${name}/values?${query.toString()}`)
    return (JSON.parse(text ?? '') as { data: unknown[] }).data.length > 0
  }

  /** Not cached: samples may be backfilled. */
  async #query(path: string, parameters: Record<string, string>): Promise<Series[]> {
    const query = new URLSearchParams({ ...parameters, nocache: '1' })
    const text = await this.#requestSlow(`${path}?${query.toString()}`)
    return (JSON.parse(text) as { data: { result: Series[] } }).data.result
  }

  /** A query over a month may take long. A health check beside it aborts it early when the store is unreachable. */
  async #requestSlow(path: string, maxBytes = Infinity, signal?: AbortSignal): Promise<string> {
    const unreachable = new AbortController()
    this.#http.request('/health').catch((error: unknown) => unreachable.abort(error))
    const text = await this.#http.request(path, {
      timeoutMs: queryTimeoutMs,
      maxBytes,
      signal: signal ? AbortSignal.any([unreachable.signal, signal]) : unreachable.signal,
    })
    if (text === undefined)
      throw unavailable('The metrics store', new Error(`the response is larger than ${maxBytes} bytes`))
    return text
  }
}
