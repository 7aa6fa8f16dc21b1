import { LRUCache } from 'lru-cache'
import type { Limits } from '../../limits.ts'

interface Deps {
  limits: Limits
  setting: Parameters<Limits['refusal']>[0]
  max: number
  windowS: number
  /** The refusal: what there is too much of, and what to do. */
  detail: string
}

/** Limits how often an owner does something within a time, from the first time on. Per replica. */
export class WindowLimit {
  readonly #counts: LRUCache<string, number>
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
    this.#counts = new LRUCache({ max: 20_000, ttl: deps.windowS * 1000 })
  }

  /** Throws the refusal if the owner has reached the limit. */
  check(owner: string): void {
    const { limits, setting, max, detail } = this.#deps
    if ((this.#counts.get(owner) ?? 0) < max) return
    throw limits.refusal(setting, detail, Math.ceil(this.#counts.getRemainingTTL(owner) / 1000))
  }

  count(owner: string): void {
    this.check(owner)
    this.#counts.set(owner, (this.#counts.get(owner) ?? 0) + 1, { noUpdateTTL: true })
  }
}
