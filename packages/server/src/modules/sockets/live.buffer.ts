import type { LiveItem } from './live.types.ts'

/** Above this, only the newest item of each key is kept. */
const maxBytes = 256 * 1024
/** Limit for those. */
const maxNewestBytes = 1024 * 1024
/** From one frame to the next. Without it, a client of 256 agents gets a frame, with a system call, for nearly every sample. */
const minIntervalMs = 100

/** Items on their way to one client: all of them while the client keeps up, else the newest of each key. */
export class LiveBuffer {
  readonly #write: (items: string, skipped: number) => Promise<void>
  #pending: LiveItem[] = []
  #bytes = 0
  #skipped = 0
  #isWriting = false

  /** `write` resolves when the client has taken the items. */
  constructor(write: (items: string, skipped: number) => Promise<void>) {
    this.#write = write
  }

  offer(item: LiveItem): void {
    this.#pending.push(item)
    this.#bytes += item.text.length
    if (this.#bytes > maxBytes) this.#keepNewest()
    if (this.#isWriting) return
    this.#isWriting = true
    // Items that arrive in one packet leave in one frame, and the first one at once.
    setImmediate(() => void this.#writeAll().finally(() => (this.#isWriting = false)))
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const items = `[${this.#pending.map(({ text }) => text).join(',')}]`
      const skipped = this.#skipped
      this.#pending = []
      this.#bytes = 0
      this.#skipped = 0
      const interval = new Promise((resolve) => setTimeout(resolve, minIntervalMs))
      await this.#write(items, skipped)
      await interval
    }
  }

  #keepNewest(): void {
    const before = this.#pending.length
    const newest = new Map<string, LiveItem>()
    for (const item of this.#pending) {
      newest.delete(item.key)
      newest.set(item.key, item)
    }
    this.#pending = [...newest.values()]
    this.#bytes = this.#pending.reduce((sum, { text }) => sum + text.length, 0)
    while (this.#bytes > maxNewestBytes && this.#pending.length > 1)
      this.#bytes -= this.#pending.shift()?.text.length ?? 0
    this.#skipped += before - this.#pending.length
  }
}
