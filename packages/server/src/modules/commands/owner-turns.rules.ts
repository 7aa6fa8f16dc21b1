/**
 * Runs the work of each owner one after another. Commands to many agents of one owner would wait for each other's locks in
 * the database, each with a connection that other callers need.
 */
export class OwnerTurns {
  /** Ends with the last work of the owner. */
  readonly #last = new Map<string, Promise<unknown>>()

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(owner)
    const own = before ? before.then(work, work) : work()
    this.#last.set(owner, own)
    try {
      return await own
    } finally {
      if (this.#last.get(owner) === own) this.#last.delete(owner)
    }
  }
}
