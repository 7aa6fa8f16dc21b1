import type { Limits } from '../../limits.ts'
import { TokenBuckets } from './token-buckets.cache.ts'

interface Options {
  samplesPerSecond: number
  bytesPerSecond: number
  /** What an agent may send at once is its rate times this. */
  backlogS: number
  limits: Limits
}

/** What each agent sends over HTTP, against its limits. */
export class SampleRates {
  readonly #limits: Limits
  readonly #samples: TokenBuckets
  readonly #bytes: TokenBuckets

  constructor({ samplesPerSecond, bytesPerSecond, backlogS, limits }: Options) {
    this.#limits = limits
    this.#samples = new TokenBuckets({ perSecond: samplesPerSecond, burst: samplesPerSecond * backlogS })
    this.#bytes = new TokenBuckets({ perSecond: bytesPerSecond, burst: bytesPerSecond * backlogS })
  }

  /** Throws the refusal while the agent is over its limit. A request that begins below it is accepted as a whole. */
  check(apId: string): void {
    this.#check(apId, this.#samples, 'MANC_AGENT_SAMPLES_PER_SECOND', 'samples')
    this.#check(apId, this.#bytes, 'MANC_AGENT_BYTES_PER_SECOND', 'bytes')
  }

  /** Counts what the agent has sent. */
  take(apId: string, samples: number, bytes: number): void {
    this.#samples.take(apId, samples, Number.POSITIVE_INFINITY)
    this.#bytes.take(apId, bytes, Number.POSITIVE_INFINITY)
  }

  #check(
    apId: string,
    buckets: TokenBuckets,
    setting: 'MANC_AGENT_SAMPLES_PER_SECOND' | 'MANC_AGENT_BYTES_PER_SECOND',
    what: string,
  ): void {
    const waitS = buckets.waitS(apId)
    if (waitS > 0)
      throw this.#limits.refusal(
        setting,
        `This agent has sent too many ${what}. Keep the samples and send them again later, with their timestamps.`,
        waitS,
      )
  }
}
