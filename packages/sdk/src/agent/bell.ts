/** Somebody waits, and somebody else may wake them; a ring that nobody waited for is not lost. */
export class Bell {
  #hasRung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#hasRung = true
    this.#wake?.()
  }

  /** Until it rings, or for so long; without a time, until it rings. */
  async wait(ms?: number): Promise<void> {
    if (!this.#hasRung)
      await new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.#hasRung = false
    this.#wake = undefined
  }
}
