import { LRUCache } from 'lru-cache'
import type { Limits } from '../../limits.ts'
import type { SuspensionService } from './suspensions.service.ts'
import { TokenBuckets } from './token-buckets.cache.ts'

interface Options {
  messagesPerSecond: number
  samplesPerSecond: number
  bytesPerSecond: number
  /** What an agent may send at once is its rate times this. */
  backlogS: number
  limits: Limits
  suspensions: SuspensionService
}

interface Suspended {
  /** End of the pause; infinite until it is written. */
  untilMs: number
  /** Whether it has sent more than is accepted. */
  isBlocked: boolean
}

export type RateKind = 'messages' | 'samples' | 'bytes'

const settingOf = {
  messages: 'MANC_AGENT_MESSAGES_PER_SECOND',
  samples: 'MANC_AGENT_SAMPLES_PER_SECOND',
  bytes: 'MANC_AGENT_BYTES_PER_SECOND',
} as const

/** What each agent sends over MQTT, against its limits. */
export class AgentRates {
  readonly #limits: Limits
  readonly #suspensions: SuspensionService
  readonly #buckets: Record<RateKind, { bucket: TokenBuckets; perSecond: number; burst: number }>
  readonly #suspended = new LRUCache<string, Suspended>({ max: 100_000 })

  constructor(options: Options) {
    this.#limits = options.limits
    this.#suspensions = options.suspensions
    const bucketOf = (perSecond: number) => {
      const burst = perSecond * options.backlogS
      return { bucket: new TokenBuckets({ perSecond, burst }), perSecond, burst }
    }
    this.#buckets = {
      messages: bucketOf(options.messagesPerSecond),
      samples: bucketOf(options.samplesPerSecond),
      bytes: bucketOf(options.bytesPerSecond),
    }
  }

  /**
   * Counts what an agent has sent. Over the limit it is suspended, and what the broker has acknowledged meanwhile is
   * still accepted, up to as much again. False: beyond that. Then everything is to be rejected until the end of the
   * pause, at once: reading it would delay other agents.
   */
  accept(apId: string, kind: RateKind, amount: number): boolean {
    this.#resetAfterPause(apId)
    if (this.#suspended.get(apId)?.isBlocked) return false
    const { bucket, perSecond, burst } = this.#buckets[kind]
    const balance = bucket.take(apId, amount, burst)
    const isOver = balance === undefined || balance < 0
    if (isOver && this.suspend(apId, `more than ${perSecond} ${kind} per second`))
      this.#limits.count(settingOf[kind])
    if (balance === undefined) this.#block(apId)
    return balance !== undefined
  }

  /** False if the agent is suspended already. */
  suspend(apId: string, reason: string): boolean {
    this.#resetAfterPause(apId)
    if (this.#suspended.has(apId)) return false
    const suspended: Suspended = { untilMs: Number.POSITIVE_INFINITY, isBlocked: false }
    this.#suspended.set(apId, suspended)
    this.#suspensions.request(apId, reason, (untilMs) => {
      suspended.untilMs = untilMs
    })
    return true
  }

  #block(apId: string): void {
    const suspended = this.#suspended.get(apId)
    if (suspended) suspended.isBlocked = true
  }

  /** With full buckets the agent can send a large backlog in parts, one after each pause. */
  #resetAfterPause(apId: string): void {
    const suspended = this.#suspended.get(apId)
    if (!suspended || suspended.untilMs > Date.now()) return
    this.#suspended.delete(apId)
    for (const { bucket } of Object.values(this.#buckets)) bucket.reset(apId)
  }
}
