import { type Caller, idOf } from '../../access.ts'
import { maxAheadMs } from '../../clocks.ts'
import type { BoundedBody } from '../../engines/victoria.body.ts'
import { RefusedByStore } from '../../engines/victoria.http.ts'
import { disconnected, forbidden, invalid } from '../../errors.ts'
import { agentFilter } from './agent-filter.rules.ts'
import type { PrometheusStore, StoreParameters, StorePath } from './prometheus.store.ts'
import type { QuerySlots } from './query-slots.service.ts'
import { parseDuration, parseTime } from './query-times.format.ts'
import { storeMessage } from './store-errors.format.ts'

/** As in Prometheus. */
const maxSteps = 11_000
const maxTimeoutMs = 10_000
const maxResults = 10_000
/** The year 2100: later times are mistakes, for example milliseconds. */
const lastMs = 4_102_444_800_000

/** Who asks, and which part of the request has the parameters, for error messages. */
export interface Asking {
  caller: Caller
  in: 'query' | 'body'
  /** Aborts when the caller has disconnected. */
  signal: AbortSignal
  /** The response may be compressed: it is passed on as the store sends it. */
  acceptsGzip: boolean
}

interface InstantQuery {
  query: string
  time?: string
  timeout?: string
}

interface RangeQuery {
  query: string
  start: string
  end: string
  step: string
  timeout?: string
}

interface Selection {
  'match[]'?: string[]
  start?: string
  end?: string
  limit?: number
}

/** Queries of the metrics store in the interface of Prometheus, limited to the agents that the caller may see. */
export class PrometheusService {
  readonly #store: PrometheusStore
  readonly #slots: QuerySlots
  readonly #retentionMs: number

  constructor(deps: { store: PrometheusStore; slots: QuerySlots; retentionMs: number }) {
    this.#store = deps.store
    this.#slots = deps.slots
    this.#retentionMs = deps.retentionMs
  }

  query({ query, time, timeout }: InstantQuery, by: Asking): Promise<BoundedBody> {
    const atMs = time === undefined ? Date.now() : timeOf(by, 'time', time)
    return this.#open('query', by, {
      query,
      time: inSeconds(atMs),
      timeout: timeoutOf(by, timeout),
      nocache: '1',
    })
  }

  queryRange({ query, start, end, step, timeout }: RangeQuery, by: Asking): Promise<BoundedBody> {
    const [startMs, endMs] = [timeOf(by, 'start', start), timeOf(by, 'end', end)]
    const stepMs = parseDuration(step) ?? 0
    if (endMs < startMs) throw wrong(by, 'end', 'end should not be before start')
    if (stepMs < 1) throw wrong(by, 'step', 'step should be a positive duration, such as 15s')
    if ((endMs - startMs) / stepMs > maxSteps)
      throw wrong(by, 'step', 'The period has more than 11,000 steps. Use a longer step or a shorter period')
    if (endMs - startMs > this.#retentionMs)
      throw wrong(by, 'start', 'The period is longer than samples are kept. Use a shorter period')
    return this.#open('query_range', by, {
      query,
      start: inSeconds(startMs),
      end: inSeconds(endMs),
      step: `${stepMs}ms`,
      timeout: timeoutOf(by, timeout),
      // Not cached: samples may be backfilled. The store would also move the period to whole steps.
      nocache: '1',
    })
  }

  series(selection: Selection, by: Asking): Promise<BoundedBody> {
    return this.#open('series', by, this.#selected(selection, by))
  }

  labels(selection: Selection, by: Asking): Promise<BoundedBody> {
    return this.#open('labels', by, this.#selected(selection, by))
  }

  labelValues(label: string, selection: Selection, by: Asking): Promise<BoundedBody> {
    return this.#open(`label/${encodeURIComponent(label)}/values`, by, this.#selected(selection, by))
  }

  /** Clients send any time for "all", so the period is limited to what the store may have. */
  #selected({ 'match[]': selectors, start, end, limit }: Selection, by: Asking): StoreParameters {
    const now = Date.now()
    const [firstMs, endMs] = [now - this.#retentionMs, now + maxAheadMs]
    const within = (name: string, text: string | undefined, otherwise: number) =>
      inSeconds(
        text === undefined ? otherwise : Math.min(endMs, Math.max(firstMs, anyTimeOf(by, name, text))),
      )
    return {
      ...(selectors && { 'match[]': selectors }),
      start: within('start', start, firstMs),
      end: within('end', end, endMs),
      limit: String(Math.min(maxResults, limit || maxResults)),
      timeout: timeoutOf(by, undefined),
    }
  }

  async #open(path: StorePath, by: Asking, parameters: StoreParameters): Promise<BoundedBody> {
    const { caller, signal, acceptsGzip } = by
    requireHistory(caller)
    const filter = agentFilter(caller)
    const free = await this.#slots.take(`${caller.kind} ${idOf(caller)}`, signal)
    try {
      const body = await this.#store.open(path, filter, parameters, { signal, acceptsGzip })
      // The store has sent everything, even if the caller has not read it; or the caller has disconnected.
      return body.once('received', free).once('close', free)
    } catch (error) {
      free()
      if (signal.aborted) throw disconnected()
      if (!(error instanceof RefusedByStore)) throw error
      const name = parameters.query === undefined ? 'match[]' : 'query'
      throw invalid([{ loc: [by.in, name], msg: storeMessage(error.message), type: 'execution' }])
    }
  }
}

/** An expression may read samples of any time, whatever the period of the query is. */
function requireHistory(caller: Caller): void {
  if (caller.kind === 'third_party_app' && !caller.may('requestAgentData', 'history:read')) throw forbidden()
}

function timeOf(by: Asking, name: string, text: string): number {
  const ms = anyTimeOf(by, name, text)
  if (ms < 0 || ms > lastMs)
    throw wrong(by, name, `${name} should be a time between 1970 and 2100, in seconds or as RFC 3339`)
  return ms
}

function anyTimeOf(by: Asking, name: string, text: string): number {
  const ms = parseTime(text)
  if (ms === undefined)
    throw wrong(by, name, `${name} should be a time: seconds since 1970, or RFC 3339 with a time zone`)
  return ms
}

function timeoutOf(by: Asking, text: string | undefined): string {
  const ms = text === undefined ? maxTimeoutMs : (parseDuration(text) ?? 0)
  if (ms < 1) throw wrong(by, 'timeout', 'timeout should be a positive duration, such as 5s')
  return `${Math.min(ms, maxTimeoutMs)}ms`
}

const wrong = ({ in: part }: Asking, name: string, msg: string) =>
  invalid([{ loc: [part, name], msg: `Value error, ${msg}`, type: 'value_error' }])

const inSeconds = (ms: number): string => String(Math.max(1, ms) / 1000)
