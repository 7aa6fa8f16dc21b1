import type { BoundedBody } from '../../engines/victoria.body.ts'
import type { VictoriaHttp } from '../../engines/victoria.http.ts'

/** Operations of the store, by their paths. */
export type StorePath = 'query' | 'query_range' | 'series' | 'labels' | `label/${string}/values`

/** Parameters of the store that are built here. Those of callers never reach it. */
export interface StoreParameters {
  query?: string
  'match[]'?: readonly string[]
  time?: string
  start?: string
  end?: string
  step?: string
  timeout?: string
  limit?: string
  nocache?: '1'
}

/** Of a response. */
const maxBytes = 64 * 1024 * 1024
/** Of the evaluation (10 s at most) and the transfer. */
const timeoutMs = 30_000

/** The query interface of the metrics store. */
export class PrometheusStore {
  readonly #victoria: Pick<VictoriaHttp, 'stream'>

  constructor(victoria: Pick<VictoriaHttp, 'stream'>) {
    this.#victoria = victoria
  }

  /** The store adds the filter to every selector of the expression, and to every list of series and labels. */
  open(
    path: StorePath,
    filter: string,
    parameters: StoreParameters,
    caller: { signal: AbortSignal; acceptsGzip: boolean },
  ): Promise<BoundedBody> {
    const form = new URLSearchParams({ 'extra_filters[]': filter })
    for (const [name, value] of Object.entries(parameters) as [string, string | readonly string[]][])
      for (const each of typeof value === 'string' ? [value] : value) form.append(name, each)
    return this.#victoria.stream(`/api/v1/${path}`, form, { timeoutMs, maxBytes, ...caller })
  }
}
