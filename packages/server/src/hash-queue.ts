import { availableParallelism } from 'node:os'
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
/** About two seconds of work for each kind; further hashes are refused with a retry time. */
const maxQueued = 200 * maxConcurrent

/**
 * Password hashes take 10 to 15 ms of CPU each, so they are queued. The kinds take turns, and the owners within a kind: an
 * owner with many hashes delays another owner by one hash.
 */
export class HashQueue {
  readonly #limits: Limits | undefined
  readonly #maxQueuedPerOwner: number
  /** Of each kind, the owners with queued hashes; the next owner first. */
  readonly #queued = new Map(kinds.map((kind) => [kind, new Map<string, (() => void)[]>()]))
  readonly #sizes = new Map(kinds.map((kind) => [kind, 0]))
  #computing = 0

  constructor(options: { limits?: Limits; maxQueuedPerOwner?: number } = {}) {
    this.#limits = options.limits
    this.#maxQueuedPerOwner = options.maxQueuedPerOwner ?? maxQueued
  }

  async run<T>(by: HashOwner, work: () => Promise<T>): Promise<T> {
    if (this.#computing >= maxConcurrent) await this.#turnOf(by)
    else this.#computing++
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  defineMetrics(metrics: Metrics): void {
    metrics.gauge({
      name: 'manc_password_hashes',
      help: 'Password hashes in this process, by state; queued ones by kind',
      labels: ['state', 'kind'],
      read: () => [
        { labels: { state: 'computing', kind: '' }, value: this.#computing },
        ...kinds.map((kind) => ({ labels: { state: 'queued', kind }, value: this.#sizes.get(kind) ?? 0 })),
      ],
    })
    metrics.gauge({
      name: 'manc_password_hashes_limit',
      help: 'Queued password hashes of one kind beyond which requests are refused with 503',
      read: () => [{ labels: {}, value: maxQueued }],
    })
  }

  #turnOf({ kind, owner }: HashOwner): Promise<void> {
    const owners = this.#queued.get(kind) as Map<string, (() => void)[]>
    const own = owners.get(owner) ?? []
    if (own.length >= this.#maxQueuedPerOwner && this.#limits)
      throw this.#limits.refusal(
        'MANC_PASSWORD_HASHES_PER_OWNER',
        'Too many password checks at once. Wait for the responses before you send more.',
        1,
      )
    const size = this.#sizes.get(kind) ?? 0
    if (size >= maxQueued)
      throw new Refused('unavailable', 'Too many logins at once. Try again shortly.', { retryAfterS: 5 })
    this.#sizes.set(kind, size + 1)
    const { promise, resolve } = Promise.withResolvers<void>()
    own.push(resolve)
    owners.set(owner, own)
    return promise
  }

  /** Hands the free place to the next owner of the next kind. */
  #next(): void {
    for (const [kind, owners] of this.#queued) {
      const [first] = owners
      if (!first) continue
      const [owner, own] = first
      const start = own.shift()
      // Both go to the end of the line.
      owners.delete(owner)
      if (own.length > 0) owners.set(owner, own)
      this.#queued.delete(kind)
      this.#queued.set(kind, owners)
      this.#sizes.set(kind, (this.#sizes.get(kind) ?? 1) - 1)
      start?.()
      return
    }
    this.#computing--
  }
}
