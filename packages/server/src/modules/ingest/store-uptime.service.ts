import type { VictoriaStore } from '../../engines/victoria.store.ts'

/** The metrics store acknowledges a write before it is on disk: a crash loses the writes of the last seconds. */
const durableAfterMs = 15_000
/** Uptime that one poll can prove, however late its answer comes: the store may have been paused in between. */
const maxUptimePerPollMs = 2500

/**
 * Measures the uptime of one metrics store. A write is durable after 15 s of uptime without a restart; time in which the
 * store was stopped or paused does not count.
 */
export class StoreUptime {
  readonly #store: VictoriaStore
  #startedAt: number | undefined
  #uptimeMs = 0
  #lastPollAt = Number.POSITIVE_INFINITY
  #answeredAt = performance.now()

  constructor(store: VictoriaStore) {
    this.#store = store
  }

  /** The uptime at a write that was acknowledged just now, rounded up: the next poll also covers time before it. */
  get writtenAt(): number {
    return this.#uptimeMs + maxUptimePerPollMs
  }

  isDurable(writtenAt: number): boolean {
    return this.#uptimeMs - writtenAt >= durableAfterMs
  }

  /** How long polls have not been answered. */
  get silentMs(): number {
    return performance.now() - this.#answeredAt
  }

  /** To be called every second or two. Returns whether the store has restarted since the previous answer. */
  async poll(): Promise<boolean> {
    const polledAt = performance.now()
    const startedAt = await this.#store.startedAt()
    const hasRestarted = this.#startedAt !== undefined && startedAt !== this.#startedAt
    if (!hasRestarted)
      this.#uptimeMs += Math.min(Math.max(0, polledAt - this.#lastPollAt), maxUptimePerPollMs)
    this.#startedAt = startedAt
    this.#lastPollAt = polledAt
    this.#answeredAt = performance.now()
    return hasRestarted
  }
}
