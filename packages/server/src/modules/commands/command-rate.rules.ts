import { LRUCache } from 'lru-cache'
import type { ReplicaLoad } from '../../replica-load.ts'

const hourMs = 3_600_000
const maxOwners = 50_000
/** As many as one bulk command may have: all at once would keep the database busy for minutes. */
const maxAtOnce = 10_000
/** On a busy replica: a hundredth of the hourly limit, and at least this many. */
const minAtOnce = 500

interface Budget {
  /** Commands that the owner may send now. */
  left: number
  /** Those that were sent recently, of which time takes away as many as it adds to `left`. Up to the limit of a busy replica. */
  recent: number
  atMs: number
}

/**
 * How many commands an owner may send: a number at once, and then as many as the time adds. Each command is work for the
 * database and the broker after its request has ended, so that a busy replica accepts fewer at once: a command to more
 * agents counts as this many there, and the next one waits for them.
 */
export class CommandRate {
  readonly #perHour: number
  readonly #load: ReplicaLoad
  readonly #atOnce: number
  readonly #atOnceWhileBusy: number
  readonly #budgets = new LRUCache<string, Budget>({ max: maxOwners })

  constructor(perHour: number, load: ReplicaLoad) {
    this.#perHour = perHour
    this.#load = load
    this.#atOnce = Math.min(perHour, maxAtOnce)
    this.#atOnceWhileBusy = Math.min(this.#atOnce, Math.max(minAtOnce, perHour / 100))
  }

  /** 0 if the commands may be sent, else the seconds until they may. */
  take(owner: string, count: number): number {
    const now = performance.now()
    const before = this.#budgets.get(owner) ?? { left: this.#atOnce, recent: 0, atMs: now }
    const added = ((now - before.atMs) / hourMs) * this.#perHour
    const left = Math.min(this.#atOnce, before.left + added)
    const recent = Math.max(0, before.recent - added)
    const missing = Math.max(
      Math.min(count, this.#atOnce) - left,
      recent + Math.min(count, this.#atOnceWhileBusy) - this.#recentLimit(),
    )
    const isEnough = missing <= 0
    this.#budgets.set(owner, {
      left: isEnough ? left - count : left,
      recent: isEnough ? Math.min(this.#atOnceWhileBusy, recent + count) : recent,
      atMs: now,
    })
    return isEnough ? 0 : Math.ceil((missing / this.#perHour) * 3600)
  }

  /** At most twice as many as a busy replica accepts at once are compared with it: it has no effect soon after the replica was busy. */
  #recentLimit(): number {
    return this.#atOnceWhileBusy + (this.#atOnce - this.#atOnceWhileBusy) * this.#load.spare()
  }
}
