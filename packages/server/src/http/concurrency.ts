import type { ReplicaLoad } from '../replica-load.ts'

/** Every caller may have this many requests at a time, however many others are active. */
const minRequests = 4
/**
 * Active callers beyond this number count twice: of many callers, most use less than their share, and their requests would wait
 * behind those of the few that use all of it.
 */
const fewCallers = 4
/** Of the replica's processing time, for every caller, however many others are active. */
const minTimeShare = 0.02
/** Processing time that a caller may use at once: that of some pages of the console. */
const burstMs = 300
/** Callers that count as active sent a request in this second or in the one before. */
const activeMs = 1000
/**
 * A longer time in which no request starts or ends may be a pause of the process or of the machine: then the CPU time of this
 * thread counts, if it is more than this.
 */
const maxGapMs = 200
const maxWaiting = 1000
/** Longer than clients usually wait for a response. */
const maxWaitMs = 30_000
/** Of the bodies of waiting requests. */
const maxWaitingBytes = 32 * 1024 * 1024

interface CallerRequests {
  running: number
  waiting: WaitingRequest[]
  waitingBytes: number
  max: number
  sharesTime: boolean
  /** Processing time beyond its share, at `usedAt`. */
  usedMs: number
  usedAt: number
  /** Starts waiting requests when `usedMs` permits it. */
  timer: NodeJS.Timeout | undefined
}

interface WaitingRequest {
  settle: (outcome: RunningRequest | 'refused') => void
  bytes: number
  since: number
}

interface EnteringRequest {
  /** Of its caller at a time. */
  max: number
  /** Whether processing time counts. */
  sharesTime: boolean
  /** Of its body. */
  bytes: number
}

/** A request that was started. */
export interface RunningRequest {
  key: string
  /** The processing time of the replica when it started. */
  startedMs: number
}

/**
 * Shares what a replica processes at a time among its callers. One event loop and one pool of database connections serve
 * all of them: a request of one caller waits behind every request of the others that runs already.
 *
 * Requests are shared by number, and while the replica is busy also by time: requests that run together share the time
 * that passes, and a caller that has used more than its share waits.
 */
export class ConcurrentRequests {
  readonly #max: number
  readonly #load: ReplicaLoad
  readonly #callers = new Map<string, CallerRequests>()
  #active = new Set<string>()
  #activeBefore = new Set<string>()
  #activeSince = 0
  #running = 0
  /** Grows by the time that passes, divided by the number of requests that run. */
  #processedMs = 0
  #processedAt = 0
  #cpuMs = 0

  /** `max`: of one caller while no other is active. */
  constructor(max: number, load: ReplicaLoad) {
    this.#max = max
    this.#load = load
  }

  /**
   * The request may run now, or when the promise resolves. `refused`: too many wait already, or it has waited too long. Each
   * request that may run has to be followed by `leave`.
   */
  enter(
    key: string,
    { bytes, ...options }: EnteringRequest,
  ): RunningRequest | Promise<RunningRequest | 'refused'> | 'refused' {
    this.#recordActive(key)
    const caller = this.#callers.get(key) ?? newCaller(options)
    if (caller.waiting.length === 0 && this.#mayStart(caller)) {
      this.#callers.set(key, caller)
      return this.#start(key, caller)
    }
    if (caller.waiting.length >= maxWaiting || caller.waitingBytes + bytes > maxWaitingBytes) return 'refused'
    this.#callers.set(key, caller)
    caller.waitingBytes += bytes
    return new Promise((settle) => {
      caller.waiting.push({ settle, bytes, since: performance.now() })
      this.#startWaiting(key, caller)
    })
  }

  leave({ key, startedMs }: RunningRequest): void {
    const caller = this.#callers.get(key)
    if (!caller) return
    this.#process()
    this.#running -= 1
    caller.running -= 1
    this.#recover(caller)
    if (caller.sharesTime) caller.usedMs += this.#processedMs - startedMs
    this.#startWaiting(key, caller)
  }

  /** Of each active caller and of one more. All of the time while the replica is not busy. */
  get timeShareOfOther(): number {
    return this.#timeShare(this.#activeCallers + 1)
  }

  #start(key: string, caller: CallerRequests): RunningRequest {
    this.#process()
    this.#running += 1
    caller.running += 1
    return { key, startedMs: this.#processedMs }
  }

  #startWaiting(key: string, caller: CallerRequests): void {
    for (let [next] = caller.waiting; next; [next] = caller.waiting) {
      const isTooLate = performance.now() - next.since > maxWaitMs
      if (!isTooLate && !this.#mayStart(caller)) break
      caller.waiting.shift()
      caller.waitingBytes -= next.bytes
      next.settle(isTooLate ? 'refused' : this.#start(key, caller))
    }
    // A request that ends starts the next one; without one, time does.
    if (caller.waiting.length === 0 || caller.running > 0 || caller.timer) return
    const waitMs = Math.max(1, Math.min(1000, (caller.usedMs - burstMs) / this.#timeShare()))
    caller.timer = setTimeout(() => {
      caller.timer = undefined
      this.#startWaiting(key, caller)
    }, waitMs)
  }

  #mayStart(caller: CallerRequests): boolean {
    if (caller.running >= this.#requestShare(caller)) return false
    this.#recover(caller)
    return caller.usedMs < burstMs
  }

  #requestShare({ max }: CallerRequests): number {
    return Math.min(max, Math.max(minRequests, Math.floor(this.#max / this.#activeCallers)))
  }

  /** All of the time while the replica is not busy. */
  #timeShare(callers = this.#activeCallers): number {
    const equal = Math.max(minTimeShare, 1 / (callers + Math.max(0, callers - fewCallers)))
    return equal + (1 - equal) * this.#load.spare()
  }

  get #activeCallers(): number {
    return Math.max(1, this.#active.size, this.#activeBefore.size)
  }

  #recover(caller: CallerRequests): void {
    const now = performance.now()
    caller.usedMs = Math.max(0, caller.usedMs - (now - caller.usedAt) * this.#timeShare())
    caller.usedAt = now
  }

  #process(): void {
    const [now, cpuMs] = [performance.now(), threadCpuMs()]
    const elapsedMs = Math.min(now - this.#processedAt, Math.max(maxGapMs, cpuMs - this.#cpuMs))
    if (this.#running > 0) this.#processedMs += elapsedMs / this.#running
    this.#processedAt = now
    this.#cpuMs = cpuMs
  }

  #recordActive(key: string): void {
    const now = performance.now()
    if (now - this.#activeSince >= activeMs) {
      const isRecent = now - this.#activeSince < 2 * activeMs
      this.#activeBefore = isRecent ? this.#active : new Set()
      this.#active = new Set()
      this.#activeSince = now
      this.#forgetIdle()
    }
    this.#active.add(key)
  }

  #forgetIdle(): void {
    for (const [key, caller] of this.#callers) {
      if (caller.running > 0 || caller.waiting.length > 0) continue
      this.#recover(caller)
      if (caller.usedMs === 0) this.#callers.delete(key)
    }
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const newCaller = (options: { max: number; sharesTime: boolean }): CallerRequests => ({
  ...options,
  running: 0,
  waiting: [],
  waitingBytes: 0,
  usedMs: 0,
  usedAt: performance.now(),
  timer: undefined,
})
