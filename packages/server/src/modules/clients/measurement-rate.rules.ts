/** Those of so many seconds may be stored at once: reports come in batches. */
const burstS = 4

/** Limits how many measurements of clients are stored that change nothing else. */
export class MeasurementRate {
  readonly #perSecond: number
  #tokens: number
  #atMs: number

  constructor(perSecond: number, nowMs = Date.now()) {
    this.#perSecond = perSecond
    this.#tokens = burstS * perSecond
    this.#atMs = nowMs
  }

  /** False if the limit is reached. */
  take(nowMs = Date.now()): boolean {
    const elapsedS = Math.max(0, nowMs - this.#atMs) / 1000
    this.#atMs = nowMs
    this.#tokens = Math.min(burstS * this.#perSecond, this.#tokens + elapsedS * this.#perSecond)
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}
