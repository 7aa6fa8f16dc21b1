/** Every caller may have this many requests at a time, however many others are active. */
const minShare = 4
/** Callers that count as active sent a request in this second or in the one before. */
const activeMs = 1000
const maxWaiting = 1000
/** Of the bodies of waiting requests. */
const maxWaitingBytes = 32 * 1024 * 1024

interface CallerRequests {
  running: number
  waiting: { start: () => void; bytes: number }[]
  waitingBytes: number
  max: number
}

/**
 * Shares the requests that a replica processes at a time among its callers. One event loop and one pool of database
 * connections serve all of them: a request of one caller waits behind every request of the others that runs already.
 */
export class ConcurrentRequests {
  readonly #max: number
  readonly #callers = new Map<string, CallerRequests>()
  #active = new Set<string>()
  #activeBefore = new Set<string>()
  #activeSince = 0

  /** `max`: of one caller while no other is active. */
  constructor(max: number) {
    this.#max = max
  }

  /**
   * Undefined: the request may run now. A promise: it may run when that resolves. `refused`: too many wait already. Each
   * request that may run has to be followed by `leave`.
   */
  enter(key: string, max: number, bytes: number): Promise<void> | 'refused' | undefined {
    this.#recordActive(key)
    const caller = this.#callers.get(key) ?? { running: 0, waiting: [], waitingBytes: 0, max }
    if (caller.waiting.length === 0 && caller.running < this.#shareOf(caller)) {
      caller.running += 1
      this.#callers.set(key, caller)
      return undefined
    }
    if (caller.waiting.length >= maxWaiting || caller.waitingBytes + bytes > maxWaitingBytes) return 'refused'
    caller.waitingBytes += bytes
    return new Promise((start) => caller.waiting.push({ start, bytes }))
  }

  leave(key: string): void {
    const caller = this.#callers.get(key)
    if (!caller) return
    caller.running -= 1
    while (caller.waiting.length > 0 && caller.running < this.#shareOf(caller)) {
      const next = caller.waiting.shift()
      if (!next) break
      caller.waitingBytes -= next.bytes
      caller.running += 1
      next.start()
    }
    if (caller.running === 0) this.#callers.delete(key)
  }

  #shareOf({ max }: CallerRequests): number {
    const active = Math.max(1, this.#active.size, this.#activeBefore.size)
    return Math.min(max, Math.max(minShare, Math.floor(this.#max / active)))
  }

  #recordActive(key: string): void {
    const now = performance.now()
    if (now - this.#activeSince >= activeMs) {
      const isRecent = now - this.#activeSince < 2 * activeMs
      this.#activeBefore = isRecent ? this.#active : new Set()
      this.#active = new Set()
      this.#activeSince = now
    }
    this.#active.add(key)
  }
}
