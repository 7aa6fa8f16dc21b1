import { LRUCache } from 'lru-cache'

const minuteMs = 60_000
const maxClients = 10_000
/** One agent with clients that move all the time must leave events for the others. */
const sharePerAgent = 0.1

/**
 * Limits events about clients: a number per minute, a tenth of it for each agent, and one per client in a minute. The history
 * has all moves.
 */
export class ClientEventLimit {
  readonly #perMinute: number
  readonly #perAgent: number
  readonly #recent = new LRUCache<string, number>({ max: maxClients })
  /** Events of the current minute by agent: not more entries than events. */
  readonly #eventsByAgent = new Map<string, number>()
  #minute = 0
  #events = 0

  constructor(perMinute: number) {
    this.#perMinute = perMinute
    this.#perAgent = Math.max(1, Math.floor(perMinute * sharePerAgent))
  }

  /** `repeated`: of a client with an event in the last minute. `reached`: the limit is, or the share of the agent. */
  take(client: string, apId: string, nowMs = Date.now()): 'taken' | 'repeated' | 'reached' {
    if (nowMs < (this.#recent.get(client) ?? 0) + minuteMs) return 'repeated'
    const minute = Math.floor(nowMs / minuteMs)
    if (minute !== this.#minute) {
      this.#events = 0
      this.#eventsByAgent.clear()
    }
    this.#minute = minute
    const ofAgent = this.#eventsByAgent.get(apId) ?? 0
    if (this.#events >= this.#perMinute || ofAgent >= this.#perAgent) return 'reached'
    this.#events += 1
    this.#eventsByAgent.set(apId, ofAgent + 1)
    this.#recent.set(client, nowMs)
    return 'taken'
  }
}
