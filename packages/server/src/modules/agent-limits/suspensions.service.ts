import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Postgres } from '../../engines/postgres.ts'
import type { DisconnectionService } from '../disconnections/index.ts'
import type { Suspension, SuspensionStore } from './suspensions.store.ts'

const pauseS = 10
const maxPauseS = 900
/** Requests that are not written yet. Beyond it, while the database is down, agents are suspended in this process alone. */
const maxPending = 10_000

/** An agent that was removed and registered again is not suspended any more. */
const cachedMs = 5000

interface Deps {
  postgres: Postgres
  store: SuspensionStore
  disconnections: DisconnectionService
  log: Logger
}

interface Request {
  reason: string
  suspended: (untilMs: number) => void
}

/** Disconnects agents that exceed a limit, and refuses their logins at the broker for a pause that grows. */
export class SuspensionService {
  readonly #deps: Deps
  readonly #pending = new Map<string, Request>()
  /** The ends of pauses: a suspended agent that connects all the time causes few queries. */
  readonly #ends = new LRUCache<string, number>({ max: 10_000, ttl: cachedMs })

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Written with the next flush. `suspended` gets the end of the pause, unless the agent is requested again before. */
  request(apId: string, reason: string, suspended: Request['suspended']): void {
    if (this.#pending.size < maxPending || this.#pending.has(apId))
      this.#pending.set(apId, { reason, suspended })
    else suspended(shortestEndMs())
  }

  async flush(): Promise<void> {
    const { postgres, store, disconnections, log } = this.#deps
    for (const [apId, { reason }] of this.#pending) {
      const until = await postgres.transaction(async (tx) => {
        const end = await store.add(tx, { apId, reason, pauseS, maxPauseS })
        if (end) await disconnections.request(tx, apId)
        return end
      })
      // Without a new end the agent is suspended already, or was deleted.
      const end = until ?? (await store.find(apId))?.until
      // A request that came meanwhile has replaced the one that was written.
      this.#pending.get(apId)?.suspended(end?.getTime() ?? shortestEndMs())
      this.#pending.delete(apId)
      if (until) log.warn({ agent: apId, reason, until }, 'an agent is suspended')
    }
  }

  /** The newest suspension of an agent, also if it has ended. */
  find(apId: string): Promise<Suspension | undefined> {
    return this.#deps.store.find(apId)
  }

  async isSuspended(apId: string): Promise<boolean> {
    const known = this.#ends.get(apId)
    if (known !== undefined && known > Date.now()) return true
    const end = (await this.#deps.store.find(apId))?.until.getTime() ?? 0
    if (end <= Date.now()) return false
    this.#ends.set(apId, end)
    return true
  }

  sweep(): Promise<void> {
    return this.#deps.store.sweep()
  }
}

const shortestEndMs = () => Date.now() + pauseS * 1000
