import { LRUCache } from 'lru-cache'

const minuteMs = 60_000
const maxClients = 10_000

/** Limits events about clients: a number per minute, and one per client in a minute. The history has all moves. */
export class ClientEventLimit {
  readonly #perMinute: number
  readonly #recent = new LRUCache<string, number>({ max: maxClients })
  #minute = 0
  #events = 0

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** `repeated`: of a client with an event in the last minute. `reached`: the limit is. */
  take(client: string, nowMs = Date.now()): 'taken' | 'repeated' | 'reached' {
    if (nowMs < (this.#recent.get(client) ?? 0) + minuteMs) return 'repeated'
    const minute = Math.floor(nowMs / minuteMs)
    if (minute !== this.#minute) this.#events = 0
    this.#minute = minute
    if (this.#events >= this.#perMinute) return 'reached'
    this.#events += 1
    this.#recent.set(client, nowMs)
    return 'taken'
  }
}
