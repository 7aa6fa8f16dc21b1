import { LRUCache } from 'lru-cache'

const hourMs = 3_600_000
const maxOwners = 50_000
/** As many as one bulk command may have: all at once would keep the database busy for minutes. */
const maxAtOnce = 10_000

interface Budget {
  /** Commands that the owner may send now. */
  left: number
  atMs: number
}

/** How many commands an owner may send: a number at once, and then as many as the time adds. */
export class CommandRate {
  readonly #perHour: number
  readonly #atOnce: number
  readonly #budgets = new LRUCache<string, Budget>({ max: maxOwners })

  constructor(perHour: number) {
    this.#perHour = perHour
    this.#atOnce = Math.min(perHour, maxAtOnce)
  }

  /** 0 if the commands may be sent, else the seconds until they may. */
  take(owner: string, count: number): number {
    const now = performance.now()
    const before = this.#budgets.get(owner) ?? { left: this.#atOnce, atMs: now }
    const left = Math.min(this.#atOnce, before.left + ((now - before.atMs) / hourMs) * this.#perHour)
    const needed = Math.min(count, this.#atOnce)
    const isEnough = left >= needed
    this.#budgets.set(owner, { left: isEnough ? left - count : left, atMs: now })
    if (isEnough) return 0
    return Math.ceil(((needed - left) / this.#perHour) * 3600)
  }
}
