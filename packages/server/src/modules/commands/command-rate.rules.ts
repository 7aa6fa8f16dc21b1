import { LRUCache } from 'lru-cache'

const hourMs = 3_600_000
const maxOwners = 50_000

interface Budget {
  /** Commands that the owner may send now. */
  left: number
  atMs: number
}

/** How many commands an owner may send: `perHour` at once, and then as many as each hour adds. */
export class CommandRate {
  readonly #perHour: number
  readonly #budgets = new LRUCache<string, Budget>({ max: maxOwners })

  constructor(perHour: number) {
    this.#perHour = perHour
  }

  /** 0 if the commands may be sent, else the seconds until they may. */
  take(owner: string, count: number): number {
    const now = performance.now()
    const before = this.#budgets.get(owner) ?? { left: this.#perHour, atMs: now }
    const left = Math.min(this.#perHour, before.left + ((now - before.atMs) / hourMs) * this.#perHour)
    const isEnough = left >= Math.min(count, this.#perHour)
    this.#budgets.set(owner, { left: isEnough ? left - count : left, atMs: now })
    if (isEnough) return 0
    return Math.ceil(((Math.min(count, this.#perHour) - left) / this.#perHour) * 3600)
  }
}
