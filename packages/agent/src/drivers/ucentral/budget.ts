/** A token bucket: `burst` at once, and `perSecond` in the long run. */
export class Budget {
  readonly #burst: number
  readonly #perSecond: number
  readonly #now: () => number
  #left: number
  #atMs: number

  constructor(burst: number, perSecond: number, now = () => performance.now()) {
    this.#burst = burst
    this.#perSecond = perSecond
    this.#now = now
    this.#left = burst
    this.#atMs = now()
  }

  /** False if there is not enough left; nothing is taken then. */
  take(amount = 1): boolean {
    const nowMs = this.#now()
    this.#left = Math.min(this.#burst, this.#left + ((nowMs - this.#atMs) / 1000) * this.#perSecond)
    this.#atMs = nowMs
    if (amount > this.#left) return false
    this.#left -= amount
    return true
  }
}
