import { LRUCache } from 'lru-cache'

interface Bucket {
  tokens: number
  atMs: number
}

/** Beyond it the owner that has been idle longest gets a full bucket again. */
const maxOwners = 200_000

/** Token buckets by owner: `perSecond` on average, and `burst` at once. In memory, per process. */
export class TokenBuckets {
  readonly #perSecond: number
  readonly #burst: number
  readonly #buckets = new LRUCache<string, Bucket>({ max: maxOwners })

  constructor(options: { perSecond: number; burst: number }) {
    this.#perSecond = options.perSecond
    this.#burst = options.burst
  }

  /**
   * Takes tokens unless the debt would become larger than `maxDebt`. Returns the new balance, which is negative while
   * the owner is over its limit; undefined if nothing was taken.
   */
  take(owner: string, amount: number, maxDebt: number): number | undefined {
    const bucket = this.#current(owner)
    if (bucket.tokens - amount < -maxDebt) return undefined
    bucket.tokens -= amount
    return bucket.tokens
  }

  /** Seconds until the owner has a token; 0 if it has one. */
  waitS(owner: string): number {
    const { tokens } = this.#current(owner)
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / this.#perSecond)
  }

  reset(owner: string): void {
    this.#buckets.delete(owner)
  }

  #current(owner: string): Bucket {
    const nowMs = performance.now()
    let bucket = this.#buckets.get(owner)
    if (!bucket) {
      bucket = { tokens: this.#burst, atMs: nowMs }
      this.#buckets.set(owner, bucket)
    }
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * this.#perSecond)
    bucket.atMs = nowMs
    return bucket
  }
}
