import type { Logger } from 'pino'
import { Refused } from '../errors.ts'
import { Loop } from '../loop.ts'
import type { BoundedBody } from './victoria.body.ts'
import type { RequestOptions, StreamOptions } from './victoria.http.ts'
import type { VictoriaStore } from './victoria.store.ts'

interface StoreState {
  store: VictoriaStore
  isUp: boolean
  upSince: number
  /** How much of the time the store misses samples of. */
  gapMs: number
}

/** Of all attempts together: a request of a caller fails within 2 s. */
const totalTimeoutMs = 1500
/** A store that has not answered for this long is checked … */
const checkAfterMs = 350
/** … and the next one is asked if it does not answer the check either. */
const checkTimeoutMs = 350
const watchIntervalMs = 1000
/** What a store has missed is known, or written again, this long after it answers again. */
const settleMs = 30_000

/**
 * Reads from one of several stores: the first that answers and misses nothing. All readers use the same store as long
 * as nothing fails, so that one reply never has fewer samples than the one before.
 */
export class VictoriaFailover {
  readonly #states: StoreState[]
  readonly #log: Logger
  readonly #watching: Loop

  constructor(stores: readonly VictoriaStore[], log: Logger) {
    this.#states = stores.map((store) => ({
      store,
      isUp: true,
      upSince: Number.NEGATIVE_INFINITY,
      gapMs: 0,
    }))
    this.#log = log
    this.#watching = new Loop({
      name: 'watching the metrics stores',
      intervalMs: watchIntervalMs,
      log,
      run: async () => {
        await Promise.all(this.#states.map((state) => this.#watch(state)))
      },
    })
  }

  start(): void {
    this.#watching.start()
  }

  stop(): Promise<void> {
    return this.#watching.stop()
  }

  /** By name of the store. */
  setGaps(gapsMs: ReadonlyMap<string, number>): void {
    for (const state of this.#states) state.gapMs = gapsMs.get(state.store.name) ?? 0
  }

  async request(path: string, options: RequestOptions = {}): Promise<string | undefined> {
    const endsAt = performance.now() + totalTimeoutMs
    const states = this.#inOrder()
    const last = states.at(-1)
    let failure: unknown
    for (const state of states) {
      const timeoutMs = options.timeoutMs ?? endsAt - performance.now()
      if (timeoutMs <= 0) break
      try {
        if (state === last) return await state.store.readHttp.request(path, { ...options, timeoutMs })
        return await requestChecked(state.store, path, { ...options, timeoutMs })
      } catch (error) {
        // An invalid query is invalid for all.
        if (!isOutage(error) || options.signal?.aborted) throw error
        failure = error
        this.#setUp(state, false)
      }
    }
    throw failure
  }

  /** As `VictoriaHttp.stream`. A store that fails in the middle of a response fails the response. */
  async stream(path: string, form: URLSearchParams, options: StreamOptions): Promise<BoundedBody> {
    let failure: unknown
    for (const state of this.#inOrder()) {
      try {
        return await state.store.readHttp.stream(path, form, options)
      } catch (error) {
        if (!isOutage(error) || options.signal.aborted) throw error
        failure = error
        this.#setUp(state, false)
      }
    }
    throw failure
  }

  #inOrder(): StoreState[] {
    const settledBefore = performance.now() - settleMs
    return [...this.#states].sort(
      (a, b) =>
        Number(b.isUp) - Number(a.isUp) ||
        Number(b.upSince < settledBefore) - Number(a.upSince < settledBefore) ||
        a.gapMs - b.gapMs,
    )
  }

  async #watch(state: StoreState): Promise<void> {
    try {
      await state.store.ping({ timeoutMs: watchIntervalMs })
      this.#setUp(state, true)
    } catch {
      this.#setUp(state, false)
    }
  }

  #setUp(state: StoreState, isUp: boolean): void {
    if (state.isUp === isUp) return
    state.isUp = isUp
    if (isUp) state.upSince = performance.now()
    const { name } = state.store
    if (isUp) this.#log.info({ store: name }, 'a metrics store answers again')
    else this.#log.warn({ store: name }, 'a metrics store does not answer; reading from another')
  }
}

/** Fails early if the store does not answer a health check either; a query over a month may take long. */
async function requestChecked(
  { readHttp }: VictoriaStore,
  path: string,
  options: RequestOptions,
): Promise<string | undefined> {
  const hanging = new AbortController()
  const check = setTimeout(() => {
    readHttp.request('/health', { timeoutMs: checkTimeoutMs }).catch((error: unknown) => hanging.abort(error))
  }, checkAfterMs)
  const signal = options.signal ? AbortSignal.any([options.signal, hanging.signal]) : hanging.signal
  try {
    return await readHttp.request(path, { ...options, signal })
  } finally {
    clearTimeout(check)
  }
}

const isOutage = (error: unknown): boolean => error instanceof Refused && error.kind === 'unavailable'
