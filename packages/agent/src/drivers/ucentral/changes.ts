/** Waits for a condition on values that events change. */
export class Changes {
  #next = Promise.withResolvers<void>()

  /** To be called after each change. */
  happened(): void {
    const { resolve } = this.#next
    this.#next = Promise.withResolvers<void>()
    resolve()
  }

  /** The first value that is not undefined. Rejects when the signal aborts, and with what `get` throws. */
  async until<T>(get: () => T | undefined, signal: AbortSignal): Promise<T> {
    const aborted = Promise.withResolvers<never>()
    // Nothing may wait for it any more.
    aborted.promise.catch(() => {})
    const onAbort = () => aborted.reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      for (;;) {
        signal.throwIfAborted()
        const value = get()
        if (value !== undefined) return value
        await Promise.race([this.#next.promise, aborted.promise])
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}
