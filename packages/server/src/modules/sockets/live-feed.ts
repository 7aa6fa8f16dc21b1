/** One thing that has just happened, as JSON text, and what it is about. */
export interface Happening {
  about: string
  text: string
}

/** What may wait for a client before only the newest of each is kept; and how much of that. */
const mostBytes = 256 * 1024
const mostNewestBytes = 1024 * 1024

/**
 * What happens while a client watches. All of it while the client keeps up; of what it cannot take, the newest about
 * each.
 */
export class LiveFeed {
  readonly #write: (items: string, skipped: number) => Promise<void>
  #waiting: Happening[] = []
  #bytes = 0
  #skipped = 0
  #isWriting = false

  /** `write` resolves when the client has taken it. */
  constructor(write: (items: string, skipped: number) => Promise<void>) {
    this.#write = write
  }

  offer(happening: Happening): void {
    this.#waiting.push(happening)
    this.#bytes += happening.text.length
    if (this.#bytes > mostBytes) this.#keepNewest()
    if (this.#isWriting) return
    this.#isWriting = true
    // What comes in the same packet goes out in the same frame.
    setImmediate(() => void this.#writeAll().finally(() => (this.#isWriting = false)))
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const items = `[${this.#waiting.map(({ text }) => text).join(',')}]`
      const skipped = this.#skipped
      this.#waiting = []
      this.#bytes = 0
      this.#skipped = 0
      await this.#write(items, skipped)
    }
  }

  #keepNewest(): void {
    const before = this.#waiting.length
    const newest = new Map<string, Happening>()
    for (const happening of this.#waiting) {
      newest.delete(happening.about)
      newest.set(happening.about, happening)
    }
    this.#waiting = [...newest.values()]
    this.#bytes = this.#waiting.reduce((sum, { text }) => sum + text.length, 0)
    while (this.#bytes > mostNewestBytes && this.#waiting.length > 1)
      this.#bytes -= this.#waiting.shift()?.text.length ?? 0
    this.#skipped += before - this.#waiting.length
  }
}
