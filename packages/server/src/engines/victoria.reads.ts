import { unavailable } from '../errors.ts'
import type { VictoriaWire } from './victoria.wire.ts'

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

const longestQueryMs = 30_000
/** Two hundred thousand agents with six metrics each. */
const mostNewestBytes = 64 * 1024 * 1024

/** Series by their labels. Go reads what JSON writes as a string, so no value can leave its quotes. */
export function selector(labels: Record<string, string>): string {
  const filters = Object.entries(labels).map(
    ([name, value]) => `${name}=${JSON.stringify(value.toWellFormed())}`,
  )
  return `{${filters.join(',')}}`
}

/** The reading half of the door to VictoriaMetrics. */
export class VictoriaReads {
  readonly #wire: VictoriaWire

  constructor(wire: VictoriaWire) {
    this.#wire = wire
  }

  /** Raw points, one series a line. Undefined where there is more than `maxBytes`: the rest is not read. */
  export(selectors: readonly string[], span: Span, maxBytes = Infinity): Promise<string | undefined> {
    let query = `start=${span.fromMs / 1000}&end=${span.toMs / 1000}`
    for (const each of selectors) query += `&match[]=${encodeURIComponent(each)}`
    return this.#wire.ask(`/api/v1/export?${query}`, { maxBytes })
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
    return this.#patiently(`/federate?${query.toString()}`, mostNewestBytes)
  }

  /** Whether there is, or was within the store's retention, any series with this label. */
  async hasLabel(name: string, value: string): Promise<boolean> {
    const query = new URLSearchParams({ 'match[]': selector({ [name]: value }), start: '0' })
    const text = await this.#wire.ask(`/api/v1/label/${name}/values?${query.toString()}`)
    return (JSON.parse(text ?? '') as { data: unknown[] }).data.length > 0
  }

  /** Not cached: samples may be back-filled. */
  async #query(path: string, parameters: Record<string, string>): Promise<Found[]> {
    const query = new URLSearchParams({ ...parameters, nocache: '1' })
    const text = await this.#patiently(`${path}?${query.toString()}`)
    return (JSON.parse(text) as { data: { result: Found[] } }).data.result
  }

  /** A query over a month may take its time, and one that is never answered must not: the store's health is asked beside it. */
  async #patiently(path: string, maxBytes = Infinity): Promise<string> {
    const gone = new AbortController()
    this.#wire.ask('/health').catch((error: unknown) => gone.abort(error))
    const text = await this.#wire.ask(path, { withinMs: longestQueryMs, maxBytes, signal: gone.signal })
    if (text === undefined)
      throw unavailable('The metrics store', new Error(`it has more than ${maxBytes} bytes to say`))
    return text
  }
}
