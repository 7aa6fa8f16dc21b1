/** Counts how often the same work has failed in a row. */
export class RepeatedFailures {
  readonly #counts = new Map<string, number>()

  /** Returns how often it has failed. */
  add(work: string): number {
    const count = (this.#counts.get(work) ?? 0) + 1
    this.#counts.set(work, count)
    return count
  }

  /** Forgets all other work: it has succeeded, or is not to be done any more. */
  keep(works: Iterable<string>): void {
    const kept = new Set(works)
    for (const work of this.#counts.keys()) if (!kept.has(work)) this.#counts.delete(work)
  }
}
