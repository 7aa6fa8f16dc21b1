const burstS = 5

/** The frames that a client may still send: some each second, and one for each message that it got. */
export class FrameBudget {
  readonly #perSecond: number
  #left: number
  #filledAt = Date.now()

  constructor(perSecond: number) {
    this.#perSecond = perSecond
    this.#left = burstS * perSecond
  }

  /** One acknowledgement for each message. */
  add(messages: number): void {
    this.#left += messages
  }

  take(now = Date.now()): boolean {
    const max = Math.max(this.#left, burstS * this.#perSecond)
    this.#left = Math.min(max, this.#left + ((now - this.#filledAt) / 1000) * this.#perSecond) - 1
    this.#filledAt = now
    return this.#left >= 0
  }
}
