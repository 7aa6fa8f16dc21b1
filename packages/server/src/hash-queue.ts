import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refused } from './errors.ts'
import type { Limits } from './limits.ts'
import type { Metrics } from './metrics.ts'

/** Logins of agents at the broker, logins over HTTP, and new passwords. A flood of one does not fill the others. */
const kinds = ['broker', 'login', 'change'] as const

export interface HashOwner {
  kind: (typeof kinds)[number]
  /** Whose hash it is: an address, an account or a caller. */
  owner: string
}

/** One core stays free for other requests during many logins. */
const maxConcurrent = Math.max(1, availableParallelism() - 1)
/** About two seconds of work for each kind. Then hashes are refused with a retry time, those of the owner with the most first. */
const maxQueued = 200 * maxConcurrent
/** The kinds take turns. People wait for logins, so that these get every second one. */
const turns: readonly HashOwner['kind'][] = ['login', 'broker', 'login', 'change']
/** Of this many hashes of one kind, one is of an owner that has had its turn. */
const shareOfServed = 4
const keptDurations = 32

/**
 * Password hashes take 10 to 15 ms of CPU each, so they are queued. The kinds take turns, and the owners within a kind: an
 * owner with many hashes delays another owner by one hash, and an owner without a queued hash goes before those that still
 * have some after their turn.
 */
export class HashQueue {
  readonly #limits: Limits | undefined
  readonly #maxQueuedPerOwner: number
  readonly #queued = new Map(kinds.map((kind) => [kind, new Owners()]))
  /** Those that have had their turn, and wait for a place again. */
  readonly #ready: (() => void)[] = []
  /** Of the latest hashes, in milliseconds, with the wait in the queue. */
  readonly #durations: number[] = []
  #turn = 0
  #computing = 0

  constructor(options: { limits?: Limits; maxQueuedPerOwner?: number } = {}) {
    this.#limits = options.limits
    this.#maxQueuedPerOwner = options.maxQueuedPerOwner ?? maxQueued
  }

  /** `afterWait` is called after a wait in the queue: it throws if the hash is no longer needed. */
  async run<T>(by: HashOwner, work: () => Promise<T>, afterWait?: () => Promise<void>): Promise<T> {
    const startedAt = performance.now()
    if (this.#computing < maxConcurrent) this.#computing++
    else {
      await this.#turnOf(by)
      if (afterWait) await this.#withoutPlace(afterWait)
    }
    try {
      return await work()
    } finally {
      this.#durations.push(performance.now() - startedAt)
      if (this.#durations.length > keptDurations) this.#durations.shift()
      this.#next()
    }
  }

  /** Waits as long as one of the latest hashes took, without computing one. False if there was none yet. */
  async waitLikeOne(): Promise<boolean> {
    const duration = this.#durations[Math.floor(Math.random() * this.#durations.length)]
    if (duration === undefined) return false
    await sleep(duration)
    return true
  }

  defineMetrics(metrics: Metrics): void {
    metrics.gauge({
      name: 'manc_password_hashes',
      help: 'Password hashes in this process, by state; queued ones by kind',
      labels: ['state', 'kind'],
      read: () => [
        { labels: { state: 'computing', kind: '' }, value: this.#computing },
        ...kinds.map((kind) => ({ labels: { state: 'queued', kind }, value: this.#of(kind).size })),
      ],
    })
    metrics.gauge({
      name: 'manc_password_hashes_limit',
      help: 'Queued password hashes of one kind beyond which one is refused with 503, of the owner with the most',
      read: () => [{ labels: {}, value: maxQueued }],
    })
  }

  #of(kind: HashOwner['kind']): Owners {
    return this.#queued.get(kind) as Owners
  }

  #turnOf({ kind, owner }: HashOwner): Promise<void> {
    const owners = this.#of(kind)
    if (owners.queuedBy(owner) >= this.#maxQueuedPerOwner && this.#limits)
      throw this.#limits.refusal(
        'MANC_PASSWORD_HASHES_PER_OWNER',
        'Too many password checks at once. Wait for the responses before you send more.',
        1,
      )
    if (owners.size >= maxQueued) {
      const displaced = owners.dropOfLargest(owners.queuedBy(owner) + 1)
      if (!displaced) throw tooManyLogins()
      displaced.refuse(tooManyLogins())
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    owners.add(owner, { start: resolve, refuse: reject })
    return promise
  }

  /** A query of the database must not occupy a place: others would wait for it. */
  async #withoutPlace(afterWait: () => Promise<void>): Promise<void> {
    this.#next()
    await afterWait()
    if (this.#computing < maxConcurrent) this.#computing++
    else await new Promise<void>((resolve) => this.#ready.push(resolve))
  }

  /** Hands the free place to the next owner of the next kind. */
  #next(): void {
    const ready = this.#ready.shift()
    if (ready) return ready()
    for (let n = 0; n < turns.length; n++) {
      const kind = turns[this.#turn++ % turns.length] as HashOwner['kind']
      const start = this.#of(kind).take()
      if (start) return start()
    }
    this.#computing--
  }
}

const tooManyLogins = () =>
  new Refused('unavailable', 'Too many logins at once. Try again shortly.', { retryAfterS: 5 })

interface Queued {
  start: () => void
  refuse: (reason: Refused) => void
}

/** The queued hashes of one kind. */
class Owners {
  /** Owners that have not had a turn since they came. */
  readonly #fresh = new Map<string, Queued[]>()
  /** Owners with more hashes after their turn. */
  readonly #served = new Map<string, Queued[]>()
  #taken = 0
  size = 0

  queuedBy(owner: string): number {
    return (this.#fresh.get(owner) ?? this.#served.get(owner))?.length ?? 0
  }

  add(owner: string, queued: Queued): void {
    this.size++
    const own = this.#fresh.get(owner) ?? this.#served.get(owner)
    if (own) own.push(queued)
    else this.#fresh.set(owner, [queued])
  }

  /** Takes out the newest hash of the owner with the most, if it has more than `count`. */
  dropOfLargest(count: number): Queued | undefined {
    // Each owner has one. A search for each refusal would only cost time.
    if (this.#fresh.size + this.#served.size === this.size) return undefined
    let largest: Queued[] | undefined
    for (const owners of [this.#fresh, this.#served])
      for (const own of owners.values()) if (own.length > (largest?.length ?? count)) largest = own
    // It has at least two, so that its owner stays.
    const dropped = largest?.pop()
    if (dropped) this.size--
    return dropped
  }

  take(): (() => void) | undefined {
    if (this.size === 0) return undefined
    const isServedTurn = this.#taken++ % shareOfServed === shareOfServed - 1
    const [preferred, other] = isServedTurn ? [this.#served, this.#fresh] : [this.#fresh, this.#served]
    const owners = preferred.size > 0 ? preferred : other
    const [first] = owners
    if (!first) return undefined
    const [owner, own] = first
    owners.delete(owner)
    const next = own.shift()
    if (own.length > 0) this.#served.set(owner, own)
    this.size--
    return next?.start
  }
}
