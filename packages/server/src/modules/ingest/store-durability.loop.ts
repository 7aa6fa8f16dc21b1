import type { Logger } from 'pino'
import type { Victoria } from '../../engines/victoria.ts'
import { Loop } from '../../loop.ts'

const pollIntervalMs = 1000
/** The metrics store acknowledges a write before it is on disk: a crash loses the writes of the last seconds. */
const durableAfterMs = 15_000
/** Uptime that one poll can prove, however late its answer comes: the store may have been paused in between. */
const maxUptimePerPollMs = 2500

/**
 * Polls the metrics store for restarts, and measures its uptime. A write is durable after 15 s of uptime without a
 * restart; time in which the store was stopped or paused does not count.
 */
export class StoreDurability {
  readonly #victoria: Victoria
  readonly #loop: Loop
  readonly #afterPoll: (hasRestarted: boolean) => void
  #startedAt: number | undefined
  #uptimeMs = 0
  #lastPollAt = Number.POSITIVE_INFINITY

  constructor(deps: { victoria: Victoria; log: Logger; afterPoll: (hasRestarted: boolean) => void }) {
    this.#victoria = deps.victoria
    this.#afterPoll = deps.afterPoll
    this.#loop = new Loop({
      name: 'polling the metrics store for restarts',
      intervalMs: pollIntervalMs,
      log: deps.log,
      run: () => this.#poll(),
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** The uptime at a write that was acknowledged just now, rounded up: the next poll also covers time before it. */
  get writtenAt(): number {
    return this.#uptimeMs + maxUptimePerPollMs
  }

  isDurable(writtenAt: number): boolean {
    return this.#uptimeMs - writtenAt >= durableAfterMs
  }

  async #poll(): Promise<void> {
    const polledAt = performance.now()
    const startedAt = await this.#victoria.startedAt()
    const hasRestarted = this.#startedAt !== undefined && startedAt !== this.#startedAt
    if (!hasRestarted)
      this.#uptimeMs += Math.min(Math.max(0, polledAt - this.#lastPollAt), maxUptimePerPollMs)
    this.#startedAt = startedAt
    this.#lastPollAt = polledAt
    this.#afterPoll(hasRestarted)
  }
}
