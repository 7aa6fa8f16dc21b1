/** A wait for the next reading, which ends early when the device reports that it can be read. */
export class Wait {
  #end = () => {}

  /** Resolves after the time, when the signal aborts, and with `end`. */
  async until(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const ended = Promise.withResolvers<void>()
    this.#end = ended.resolve
    const timer = setTimeout(ended.resolve, ms)
    signal.addEventListener('abort', this.#end, { once: true })
    await ended.promise
    clearTimeout(timer)
    signal.removeEventListener('abort', this.#end)
    this.#end = () => {}
  }

  end(): void {
    this.#end()
  }
}
