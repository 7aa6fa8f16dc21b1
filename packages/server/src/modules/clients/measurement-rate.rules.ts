/** Those of so many seconds may be stored at once: reports come in batches. */
const burstS = 4
/** The age of a stored measurement from which on it is replaced. It grows while the limit is reached. */
const age = { minMs: 10_000, maxMs: 600_000, factor: 1.2, everyMs: 1000 }

/**
 * Limits how many measurements of clients are stored that change nothing else. While the limit is reached, measurements have to
 * be older before they are replaced: so each client is measured less often, instead of some with each report and others never.
 */
export class MeasurementRate {
  readonly #perSecond: number
  #tokens: number
  #atMs: number
  #ageMs = age.minMs
  #adjustedMs: number
  #isReached = false

  constructor(perSecond: number, nowMs = Date.now()) {
    this.#perSecond = perSecond
    this.#tokens = burstS * perSecond
    this.#atMs = nowMs
    this.#adjustedMs = nowMs
  }

  /** Whether a measurement of this age is replaced; without one the age is infinite. */
  take(ageMs: number, nowMs = Date.now()): boolean {
    const elapsedS = Math.max(0, nowMs - this.#atMs) / 1000
    this.#atMs = nowMs
    this.#tokens = Math.min(burstS * this.#perSecond, this.#tokens + elapsedS * this.#perSecond)
    this.#adjust(nowMs)
    if (ageMs < this.#ageMs) return false
    if (this.#tokens < 1) {
      this.#isReached = true
      return false
    }
    this.#tokens -= 1
    return true
  }

  #adjust(nowMs: number): void {
    // The clock may have been set back.
    if (Math.abs(nowMs - this.#adjustedMs) < age.everyMs) return
    this.#adjustedMs = nowMs
    if (this.#isReached) this.#ageMs = Math.min(age.maxMs, this.#ageMs * age.factor)
    else if (this.#tokens > (burstS * this.#perSecond) / 2)
      this.#ageMs = Math.max(age.minMs, this.#ageMs / age.factor)
    this.#isReached = false
  }
}
