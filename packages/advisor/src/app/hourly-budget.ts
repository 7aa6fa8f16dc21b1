const hourMs = 3_600_000
/** The part of an hour's decisions that may be made at once. */
const burst = 0.1

/** So many an hour. */
export class HourlyBudget {
  readonly #perHour: number
  readonly #max: number
  #left: number
  #atMs: number

  constructor(perHour: number, nowMs = Date.now()) {
    this.#perHour = perHour
    this.#max = Math.max(1, perHour * burst)
    this.#left = this.#max
    this.#atMs = nowMs
  }

  take(nowMs = Date.now()): boolean {
    const gained = (Math.max(0, nowMs - this.#atMs) * this.#perHour) / hourMs
    this.#left = Math.min(this.#max, this.#left + gained)
    this.#atMs = nowMs
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
