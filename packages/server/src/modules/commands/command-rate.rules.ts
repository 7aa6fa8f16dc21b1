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
  atMs: number
}

/**
 * How many commands an owner may send: a number at once, and then as many as the time adds. Each command is work for the
 * database and the broker after its request has ended, so that a busy replica accepts fewer at once.
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
    const atOnce = this.#atOnceWhileBusy + (this.#atOnce - this.#atOnceWhileBusy) * this.#load.spare()
    const before = this.#budgets.get(owner) ?? { left: atOnce, atMs: now }
    const left = Math.min(atOnce, before.left + ((now - before.atMs) / hourMs) * this.#perHour)
    const needed = Math.min(count, atOnce)
    const isEnough = left >= needed
    this.#budgets.set(owner, { left: isEnough ? left - count : left, atMs: now })
    if (isEnough) return 0
    return Math.ceil(((needed - left) / this.#perHour) * 3600)
  }
}
