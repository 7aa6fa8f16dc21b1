import { LRUCache } from 'lru-cache'
import type { Limits } from '../../limits.ts'

const hourMs = 3_600_000

/** Limits how often callers change their own password: each change costs up to two hashes. */
export class PasswordChanges {
  readonly #counts = new LRUCache<string, number>({ max: 20_000, ttl: hourMs })
  readonly #limits: Limits
  readonly #perHour: number

  constructor(deps: { limits: Limits; perHour: number }) {
    this.#limits = deps.limits
    this.#perHour = deps.perHour
  }

  count(owner: string): void {
    const count = (this.#counts.get(owner) ?? 0) + 1
    if (count > this.#perHour)
      throw this.#limits.refusal(
        'MANC_PASSWORD_CHANGES_PER_HOUR',
        'Too many password changes. Try again in an hour.',
        Math.ceil(this.#counts.getRemainingTTL(owner) / 1000),
      )
    // From the first change on.
    this.#counts.set(owner, count, { noUpdateTTL: true })
  }
}
