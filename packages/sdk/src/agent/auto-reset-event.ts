/** Wakes one waiter. A `set` without a waiter makes the next `wait` return at once. */
export class AutoResetEvent {
  #isSet = false
  #wake: (() => void) | undefined

  set(): void {
    this.#isSet = true
    this.#wake?.()
  }

  /** Until it is set, or for so long. */
  async wait(timeoutMs?: number): Promise<void> {
    if (!this.#isSet)
      await new Promise<void>((resolve) => {
        const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.#isSet = false
    this.#wake = undefined
  }
}
