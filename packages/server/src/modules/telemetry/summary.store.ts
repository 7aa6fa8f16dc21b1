import { text } from 'node:stream/consumers'
import type { VictoriaHttp } from '../../engines/victoria.http.ts'
import { type Span, selector } from '../../engines/victoria.reads.ts'

/** Agents in one filter: the store finds up to so many values of a label without comparing all of them. */
const idsPerFilter = 100
const maxBytes = 8 * 1024 * 1024
/** Of the evaluation, and of the whole request. */
const evaluationMs = 15_000
const timeoutMs = 20_000

interface QuantilePoint {
  atMs: number
  p10: number
  p50: number
  p90: number
}

interface Result {
  metric: Record<string, string>
  value?: [seconds: number, value: string]
  values?: [seconds: number, value: string][]
}

/** Percentiles over agents, computed by the metrics store. */
export class SummaryStore {
  readonly #victoria: Pick<VictoriaHttp, 'stream'>

  constructor(victoria: Pick<VictoriaHttp, 'stream'>) {
    this.#victoria = victoria
  }

  /** Percentiles of the agents' means in each step. Steps are aligned to the clock. Steps without values are left out. */
  async quantiles(
    metric: string,
    apIds: readonly string[],
    { fromMs, toMs }: Span,
    stepMs: number,
    signal: AbortSignal,
  ): Promise<QuantilePoint[]> {
    // A value covers the step that ends at its time: queried 1 ms before the next step it is [start, start + step).
    const toEndMs = stepMs - 1
    const parameters = {
      query: `quantiles("q", 0.1, 0.5, 0.9, ${meanOver(metric, stepMs)})`,
      start: inSeconds(Math.floor(fromMs / stepMs) * stepMs + toEndMs),
      end: inSeconds(Math.floor(toMs / stepMs) * stepMs + toEndMs),
      step: `${stepMs}ms`,
    }
    const found = await this.#query('query_range', apIds, parameters, signal)
    const points = new Map<number, Partial<QuantilePoint>>()
    for (const { metric: labels, values = [] } of found)
      for (const [seconds, value] of values) {
        const atMs = Math.round(seconds * 1000) - toEndMs
        const point = points.get(atMs) ?? {}
        points.set(atMs, { ...point, [`p${Number(labels['q']) * 100}`]: Number(value) })
      }
    return [...points]
      .sort(([a], [b]) => a - b)
      .map(([atMs, { p10 = Number.NaN, p50 = Number.NaN, p90 = Number.NaN }]) => ({ atMs, p10, p50, p90 }))
      .filter(({ p10, p50, p90 }) => Number.isFinite(p10 + p50 + p90))
  }

  /** The mean of each agent that has values in the span. */
  async means(
    metric: string,
    apIds: readonly string[],
    { fromMs, toMs }: Span,
    signal: AbortSignal,
  ): Promise<number[]> {
    const parameters = { query: meanOver(metric, toMs - fromMs), time: inSeconds(toMs) }
    const found = await this.#query('query', apIds, parameters, signal)
    return found.map(({ value }) => Number(value?.[1])).filter((value) => Number.isFinite(value))
  }

  async #query(
    path: 'query' | 'query_range',
    apIds: readonly string[],
    parameters: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Result[]> {
    signal.throwIfAborted()
    const form = new URLSearchParams({
      ...parameters,
      timeout: `${evaluationMs}ms`,
      nocache: '1',
      // Otherwise the store repeats an earlier value for the last 30 s.
      latency_offset: '1ms',
    })
    // The store reads series that match one of these filters.
    for (let start = 0; start < apIds.length; start += idsPerFilter)
      form.append('extra_filters[]', selector({ ap_id: apIds.slice(start, start + idsPerFilter) }))
    const body = await this.#victoria.stream(`/api/v1/${path}`, form, { timeoutMs, maxBytes, signal })
    return (JSON.parse(await text(body)) as { data: { result: Result[] } }).data.result
  }
}

const meanOver = (metric: string, windowMs: number): string =>
  `avg_over_time(${selector({ __name__: metric })}[${windowMs}ms])`

const inSeconds = (ms: number): string => String(ms / 1000)
