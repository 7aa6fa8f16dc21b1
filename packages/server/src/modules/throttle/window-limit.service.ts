import { LRUCache } from 'lru-cache'
import type { Limits } from '../../limits.ts'

const hourMs = 3_600_000

interface Deps {
  limits: Limits
  setting: Parameters<Limits['refusal']>[0]
  perHour: number
  /** The start of the refusal: what there is too much of. */
  tooMany: string
}

/** Limits how often an owner does something within an hour. Per replica. */
export class HourlyLimit {
  readonly #counts = new LRUCache<string, number>({ max: 20_000, ttl: hourMs })
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  count(owner: string): void {
    const { limits, setting, perHour, tooMany } = this.#deps
    const count = (this.#counts.get(owner) ?? 0) + 1
    if (count > perHour)
      throw limits.refusal(
        setting,
        `${tooMany} Try again in an hour.`,
        Math.ceil(this.#counts.getRemainingTTL(owner) / 1000),
      )
    // From the first one on.
    this.#counts.set(owner, count, { noUpdateTTL: true })
  }
}
