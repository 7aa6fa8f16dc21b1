import { LRUCache } from 'lru-cache'

const hourMs = 3_600_000
/** More agents than this with events in one hour: the least recent ones start again at 0. */
const maxAgents = 200_000

interface Used {
  hour: number
  events: number
}

/** `taken`: to append. `reached`: the first one beyond the limit. `beyond`: any later one. */
export type QuotaAnswer = 'taken' | 'reached' | 'beyond'

/** Bounds the events of one agent per hour. Per process, like rate limits. */
export class EventQuota {
  readonly #perHour: number
  readonly #used = new LRUCache<string, Used>({ max: maxAgents })

  constructor(perHour: number) {
    this.#perHour = perHour
  }

  take(apId: string, nowMs = Date.now()): QuotaAnswer {
    const hour = Math.floor(nowMs / hourMs)
    const used = this.#used.get(apId)
    const events = used?.hour === hour ? used.events + 1 : 1
    this.#used.set(apId, { hour, events })
    if (events <= this.#perHour) return 'taken'
    return events === this.#perHour + 1 ? 'reached' : 'beyond'
  }
}
