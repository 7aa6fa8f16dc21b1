import { disconnected } from '../../errors.ts'
import type { Limits } from '../../limits.ts'

interface Waiting {
  key: string
  maxOwn: number
  end: (why: 'started' | 'too long' | 'disconnected') => void
}

const maxWaitMs = 10_000
/** Of all callers. How many requests one caller may have at a time is limited as well. */
const maxWaiting = 1000

/**
 * Queries that may run in the store at a time. The store evaluates few at once, and charts need some of them. A caller
 * never has all slots, and of the queries that wait those of the callers with the fewest slots are next.
 */
export class QuerySlots {
  readonly #max: number
  readonly #maxPerCaller: number
  readonly #limits: Limits
  readonly #running = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  #total = 0

  constructor({ max, limits }: { max: number; limits: Limits }) {
    this.#max = max
    this.#maxPerCaller = Math.max(1, max - 1)
    this.#limits = limits
  }

  /**
   * A caller has at most `maxOwn` slots. Throws `too many` when the wait is too long. Returns a function that frees the
   * slot, which may be called again.
   */
  async take(key: string, signal: AbortSignal, maxOwn = this.#maxPerCaller): Promise<() => void> {
    if (signal.aborted) throw disconnected()
    if (this.#mayStart(key, maxOwn)) this.#start(key)
    else {
      const why = this.#waiting.length < maxWaiting ? await this.#wait(key, maxOwn, signal) : 'too long'
      if (why === 'disconnected') throw disconnected()
      if (why === 'too long')
        throw this.#limits.refusal(
          'MANC_PROMETHEUS_QUERIES',
          'The metrics store is busy with other queries. Send fewer at a time, or with a shorter period.',
          5,
        )
    }
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      this.#free(key)
    }
  }

  #start(key: string): void {
    this.#total += 1
    this.#running.set(key, this.#of(key) + 1)
  }

  #mayStart(key: string, maxOwn: number): boolean {
    return this.#total < this.#max && this.#of(key) < Math.min(maxOwn, this.#maxPerCaller)
  }

  #of(key: string): number {
    return this.#running.get(key) ?? 0
  }

  #wait(key: string, maxOwn: number, signal: AbortSignal): Promise<Parameters<Waiting['end']>[0]> {
    return new Promise((resolve) => {
      const gone = () => waiting.end('disconnected')
      const timer = setTimeout(() => waiting.end('too long'), maxWaitMs)
      const waiting: Waiting = {
        key,
        maxOwn,
        end: (why) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', gone)
          this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
          resolve(why)
        },
      }
      signal.addEventListener('abort', gone, { once: true })
      this.#waiting.push(waiting)
    })
  }

  #free(key: string): void {
    const left = this.#of(key) - 1
    if (left > 0) this.#running.set(key, left)
    else this.#running.delete(key)
    this.#total -= 1
    this.#startNext()
  }

  #startNext(): void {
    let next: Waiting | undefined
    for (const each of this.#waiting)
      if (this.#mayStart(each.key, each.maxOwn) && (!next || this.#of(each.key) < this.#of(next.key)))
        next = each
    if (!next) return
    // Before it continues: another query may ask for a slot at once.
    this.#start(next.key)
    next.end('started')
  }
}
