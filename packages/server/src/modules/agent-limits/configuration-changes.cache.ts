import type { Limits } from '../../limits.ts'
import { TokenBuckets } from './token-buckets.cache.ts'

/** Limits how often an agent may change its configuration: each change is a transaction with an audit entry. */
export class ConfigurationChanges {
  readonly #limits: Limits
  readonly #buckets: TokenBuckets
  readonly #perMinute: number

  constructor(options: { perMinute: number; limits: Limits }) {
    this.#limits = options.limits
    this.#perMinute = options.perMinute
    this.#buckets = new TokenBuckets({ perSecond: options.perMinute / 60, burst: options.perMinute })
  }

  /** Throws the refusal if the agent has changed it too often. */
  take(apId: string): void {
    if (this.#buckets.take(apId, 1, 0) !== undefined) return
    throw this.#limits.refusal(
      'MANC_AGENT_ONBOARDINGS_PER_MINUTE',
      `An agent may change its configuration ${this.#perMinute} times per minute. Send it again later.`,
      this.#buckets.waitS(apId),
    )
  }
}
