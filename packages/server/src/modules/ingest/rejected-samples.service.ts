import type { RejectedCount, RejectedSamples, RejectedSamplesStore } from './rejected-samples.store.ts'

/** Counts that are not written yet. Beyond it, while the database is down, new agents and reasons are not counted. */
const maxPending = 100_000
const sweepRows = 5000
const batchRows = 1000

/** Counts the samples that were not stored, by agent and reason. */
export class RejectedSamplesService {
  readonly #store: RejectedSamplesStore
  #pending = new Map<string, RejectedCount>()
  #sweptUpTo = ''

  constructor(store: RejectedSamplesStore) {
    this.#store = store
  }

  /** Written with the next flush. */
  record(apId: string, reason: string, samples: number): void {
    this.#add({ apId, reason, samples })
  }

  /** In batches: a statement has to end within the time limit. */
  async flush(): Promise<void> {
    const counts = [...this.#pending.values()]
    this.#pending = new Map()
    for (let from = 0; from < counts.length; from += batchRows)
      try {
        await this.#store.add(counts.slice(from, from + batchRows))
      } catch (error) {
        for (const count of counts.slice(from)) this.#add(count)
        throw error
      }
  }

  find(apId: string): Promise<RejectedSamples[]> {
    return this.#store.find(apId)
  }

  /** Deletes old counts and those of deleted agents. Each call checks some of the rows, so that its cost is limited. */
  async sweep(): Promise<void> {
    this.#sweptUpTo = (await this.#store.deleteExpired(this.#sweptUpTo, sweepRows)) ?? ''
  }

  #add(count: RejectedCount): void {
    const key = `${count.apId} ${count.reason}`
    const pending = this.#pending.get(key)
    if (pending) pending.samples += count.samples
    else if (this.#pending.size < maxPending) this.#pending.set(key, count)
  }
}
