/** How long a read is shared by all callers, unless another time is given. */
const defaultFreshMs = 5000
/** … and at least ten times as long as the read took: it costs the engine at most a tenth of its time. */
const freshFactor = 10
/** How long after that a caller gets the last result at once, while the next one is read. */
const maxStaleMs = 30_000

/** The result of a read that is expensive: one for all callers, which is forgotten when none asks for it. */
export class SharedReadCache<T> {
  readonly #read: () => Promise<T>
  readonly #freshMs: number
  #last: { value: T; expiresAtMs: number } | undefined
  /** Is being read, to replace the last one. */
  #next: Promise<T> | undefined
  #forgetting: NodeJS.Timeout | undefined

  constructor(read: () => Promise<T>, { freshMs = defaultFreshMs }: { freshMs?: number } = {}) {
    this.#read = read
    this.#freshMs = freshMs
  }

  /** The last result, if it is recent: it is not read for this caller. */
  get recent(): T | undefined {
    return this.#last && performance.now() < this.#last.expiresAtMs ? this.#last.value : undefined
  }

  async current(): Promise<T> {
    const nowMs = performance.now()
    const last = this.#last
    if (last && nowMs < last.expiresAtMs) return last.value
    this.#next ??= this.#readNext(nowMs)
    if (last && nowMs < last.expiresAtMs + maxStaleMs) return last.value
    return this.#next
  }

  #readNext(begunAtMs: number): Promise<T> {
    const reading = this.#read()
    const succeeded = (value: T) => {
      const lastsMs = Math.max(this.#freshMs, freshFactor * (performance.now() - begunAtMs))
      this.#last = { value, expiresAtMs: begunAtMs + lastsMs }
      this.#next = undefined
      this.#forgetAfter(lastsMs + maxStaleMs)
    }
    // Those who wait for it get the error.
    const failed = () => {
      this.#last = undefined
      this.#next = undefined
    }
    reading.then(succeeded, failed)
    return reading
  }

  #forgetAfter(ms: number): void {
    clearTimeout(this.#forgetting)
    this.#forgetting = setTimeout(() => (this.#last = undefined), ms).unref()
  }
}
