/** Part of the interval by which each reading is early or late, so that devices do not stay in step. */
const jitter = 0.05
const maxBackOffMs = 300_000

/** When one access point is read next. */
export class Schedule {
  readonly #intervalMs: number
  readonly #random: () => number
  #dueMs: number
  #failures = 0

  /** The first reading is due within `spreadMs`. */
  constructor(intervalMs: number, spreadMs: number, nowMs = Date.now(), random = Math.random) {
    this.#intervalMs = intervalMs
    this.#random = random
    this.#dueMs = nowMs + spreadMs * random()
  }

  delayMs(nowMs = Date.now()): number {
    return Math.max(0, this.#dueMs - nowMs)
  }

  /** Readings that were missed because of a slow one, or a clock change, are skipped. */
  succeeded(nowMs = Date.now()): void {
    this.#failures = 0
    const next = Math.min(this.#dueMs, nowMs) + this.#intervalMs * this.#spread(jitter)
    this.#dueMs = Math.max(next, nowMs)
  }

  /** The wait doubles with each failure, up to 5 minutes, or the interval if that is longer. */
  failed(nowMs = Date.now()): void {
    this.#failures += 1
    const ceilingMs = Math.max(this.#intervalMs, maxBackOffMs)
    // 2 ** 30 intervals are beyond any ceiling.
    const waitMs = Math.min(ceilingMs, this.#intervalMs * 2 ** Math.min(this.#failures - 1, 30))
    this.#dueMs = nowMs + waitMs * this.#spread(0.25)
  }

  #spread(part: number): number {
    return 1 - part + 2 * part * this.#random()
  }
}
