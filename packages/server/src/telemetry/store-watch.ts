import type { Logger } from 'pino'
import type { Victoria } from '../engines/victoria.ts'
import { Loop } from '../loop.ts'

const lookEveryMs = 1000
/** The store answers a write before it is on disk: what it took within the last seconds, a crash takes away again. */
const safeAfterMs = 15_000

/**
 * Watches the metrics store for restarts. What was written is safe once the store has answered for 15 s in a row
 * since, without a restart; the time that it spent stopped does not count.
 */
export class StoreWatch {
  readonly #victoria: Victoria
  readonly #loop: Loop
  readonly #afterLook: (restarted: boolean) => void
  #instance: number | undefined
  #answeringSince = Number.POSITIVE_INFINITY
  #lastAnswer = Number.NEGATIVE_INFINITY

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

  /** Whether a write that was answered at this time (of `performance.now()`) can no longer be lost. */
  isSafe(writtenAt: number): boolean {
    return this.#lastAnswer - Math.max(writtenAt, this.#answeringSince) >= safeAfterMs
  }

  async #look(): Promise<void> {
    const askedAt = performance.now()
    try {
      const instance = await this.#victoria.startedAt()
      const restarted = this.#instance !== undefined && instance !== this.#instance
      // Late answers are those of a store that stood still: it has aged nothing meanwhile.
      const late = askedAt - this.#lastAnswer > 3 * lookEveryMs
      if (restarted || late || this.#instance === undefined) this.#answeringSince = performance.now()
      this.#instance = instance
      this.#lastAnswer = askedAt
      this.#afterLook(restarted)
    } catch (error) {
      this.#answeringSince = Number.POSITIVE_INFINITY
      this.#lastAnswer = Number.NEGATIVE_INFINITY
      throw error
    }
  }
}
