import type { Logger } from 'pino'
import type { Victoria } from '../../engines/victoria.ts'
import { Loop } from '../../loop.ts'

const lookEveryMs = 1000
/** The store answers a write before it is on disk: what it took within the last seconds, a crash takes away again. */
const safeAfterMs = 15_000
/** However late an answer comes, it tells of no more than this: the store may have stood still meanwhile. */
const mostServedMs = 2500

/**
 * Watches the metrics store for restarts, and counts the time in which it has served. What was written is safe once
 * the store has served for 15 s since, without a restart; the time that it spent stopped does not count.
 */
export class StoreWatch {
  readonly #victoria: Victoria
  readonly #loop: Loop
  readonly #afterLook: (restarted: boolean) => void
  #instance: number | undefined
  #servedMs = 0
  #lastAnswer = Number.POSITIVE_INFINITY

  constructor(parts: { victoria: Victoria; log: Logger; afterLook: (restarted: boolean) => void }) {
    this.#victoria = parts.victoria
    this.#afterLook = parts.afterLook
    this.#loop = new Loop({
      name: 'watching the metrics store',
      everyMs: lookEveryMs,
      log: parts.log,
      round: () => this.#look(),
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** The time of a write that was answered just now, on the clock of served time: the next answer tells of it too. */
  writtenNow(): number {
    return this.#servedMs + mostServedMs
  }

  /** Whether what was written then can no longer be lost. */
  isSafe(writtenAt: number): boolean {
    return this.#servedMs - writtenAt >= safeAfterMs
  }

  async #look(): Promise<void> {
    const askedAt = performance.now()
    const instance = await this.#victoria.startedAt()
    const restarted = this.#instance !== undefined && instance !== this.#instance
    if (!restarted) this.#servedMs += Math.min(Math.max(0, askedAt - this.#lastAnswer), mostServedMs)
    this.#instance = instance
    this.#lastAnswer = askedAt
    this.#afterLook(restarted)
  }
}
