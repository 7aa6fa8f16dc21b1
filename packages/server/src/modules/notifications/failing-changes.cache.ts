const firstMs = 30_000
const longestMs = 600_000
const maxKept = 1000

/**
 * Changes of alarms whose transaction fails by themselves. They are left out for a time, so that later ones are handled.
 * Each replica finds them by itself.
 */
export class FailingChanges {
  readonly #found = new Map<string, { untilMs: number; waitMs: number }>()

  /** Called after a transaction with this change alone has failed. False if there are too many. */
  add(id: string, nowMs: number): boolean {
    const known = this.#found.get(id)
    if (!known && this.#found.size >= maxKept) return false
    const waitMs = known ? Math.min(known.waitMs * 2, longestMs) : firstMs
    this.#found.set(id, { untilMs: nowMs + waitMs, waitMs })
    return true
  }

  /** Those to leave out now. */
  waiting(nowMs: number): string[] {
    return [...this.#found].filter(([, { untilMs }]) => untilMs > nowMs).map(([id]) => id)
  }

  /** After a success. */
  remove(ids: readonly string[]): void {
    for (const id of ids) this.#found.delete(id)
  }
}
