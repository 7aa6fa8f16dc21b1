import type { ReplicaLoad } from '../replica-load.ts'

/** Health checks give up after that, and people soon after. */
const maxWaitMs = 5000
const forgetIntervalMs = 1000

export interface TurnCost {
  /** Processing time that a request counts as. */
  requestMs: number
  /** Processing time that an owner may use at once. */
  burstMs: number
}

interface Used {
  /** Processing time beyond its share, at `at`. */
  ms: number
  at: number
}

/**
 * Paces requests that no operation processes: pages, health, refusals, unknown paths. Their time cannot be measured where it
 * is spent, so that each counts a fixed time, and nothing while the replica is not busy.
 */
export class Turns {
  readonly #load: ReplicaLoad
  readonly #timeShare: () => number
  readonly #used = new Map<string, Used>()
  #forgotAt = 0

  /** `timeShare`: of each owner. */
  constructor(load: ReplicaLoad, timeShare: () => number) {
    this.#load = load
    this.#timeShare = timeShare
  }

  /** In how many milliseconds the owner's next request may be answered. Undefined: too many wait already. */
  take(owner: string, { requestMs, burstMs }: TurnCost): number | undefined {
    const now = performance.now()
    const costMs = requestMs * (1 - this.#load.spare())
    if (costMs === 0) return 0
    this.#forget(now)
    const usedMs = this.#usedMs(this.#used.get(owner), now) + costMs
    const waitMs = Math.max(0, usedMs - burstMs) / this.#timeShare()
    if (waitMs > maxWaitMs) return undefined
    this.#used.set(owner, { ms: usedMs, at: now })
    return waitMs
  }

  /** Processing time that is known only after a response. It delays the owner's next requests. */
  charge(owner: string, ms: number): void {
    const costMs = ms * (1 - this.#load.spare())
    if (costMs === 0) return
    const now = performance.now()
    this.#used.set(owner, { ms: this.#usedMs(this.#used.get(owner), now) + costMs, at: now })
  }

  #usedMs(used: Used | undefined, now: number): number {
    return used ? Math.max(0, used.ms - (now - used.at) * this.#timeShare()) : 0
  }

  #forget(now: number): void {
    if (now - this.#forgotAt < forgetIntervalMs) return
    this.#forgotAt = now
    for (const [owner, used] of this.#used) if (this.#usedMs(used, now) === 0) this.#used.delete(owner)
  }
}
