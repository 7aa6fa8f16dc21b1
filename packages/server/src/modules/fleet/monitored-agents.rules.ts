import type { MonitoredRow, Silence } from './fleet.store.ts'

interface MonitoredAgent {
  /** When its last sample arrived, on this class's clock. */
  seenAt: number
  /** The stored state; undefined: has to be claimed first. */
  state: 'online' | 'stale' | undefined
  /** `seenAt` at the time when it was stored as stale: a later sample makes it online again. */
  staleSince: number
  intervalMs: number
}

export interface SilentAgent extends Silence {
  agent: MonitoredAgent
  /** `seenAt` when the silence was noticed. */
  seenAt: number
}

export const runIntervalMs = 1000
/** After how many missed intervals. */
const staleAfter = 2
const offlineAfter = 3
/** A stale agent that is adopted has this many intervals for a sample before it is offline. */
const graceOfStale = 1.5

/**
 * The agents that this replica monitors, in memory. Its clock runs only while the replica receives all samples, so
 * that a delay of ours is not taken for silence of an agent.
 */
export class MonitoredAgents {
  readonly #agents = new Map<string, MonitoredAgent>()
  #clockMs = 0

  advanceClock(ms: number): void {
    this.#clockMs += ms
  }

  recordSample(apId: string): void {
    // The clock moves once per run. Counted from the next run on, no agent is silent too early.
    const seenAt = this.#clockMs + runIntervalMs
    const agent = this.#agents.get(apId)
    if (agent) agent.seenAt = seenAt
    else this.#agents.set(apId, { seenAt, state: undefined, staleSince: 0, intervalMs: 0 })
  }

  adopt(rows: readonly MonitoredRow[]): void {
    for (const { apId, state, intervalS } of rows) {
      const intervalMs = intervalS * 1000
      const silentMs = state === 'stale' ? (offlineAfter - graceOfStale) * intervalMs : 0
      const seenAt = this.#clockMs - silentMs
      this.#agents.set(apId, { seenAt, state, staleSince: seenAt, intervalMs })
    }
  }

  /** Agents that are still to be claimed are kept: their samples arrived here. */
  release(apIds: readonly string[]): void {
    for (const apId of apIds) if (this.#agents.get(apId)?.state) this.#agents.delete(apId)
  }

  /** Agents with samples that are not stored as online yet. */
  toClaim(): string[] {
    const apIds: string[] = []
    for (const [apId, { state, seenAt, staleSince }] of this.#agents)
      if (state === undefined || (state === 'stale' && seenAt > staleSince)) apIds.push(apId)
    return apIds
  }

  /** Agents that were not claimed are not registered (any more). */
  claimed(apIds: readonly string[], rows: readonly MonitoredRow[]): void {
    const intervals = new Map(rows.map(({ apId, intervalS }) => [apId, intervalS * 1000]))
    for (const apId of apIds) {
      const intervalMs = intervals.get(apId)
      const agent = this.#agents.get(apId)
      if (intervalMs === undefined) this.#agents.delete(apId)
      else if (agent) Object.assign(agent, { state: 'online', intervalMs })
    }
  }

  /** Agents whose stored state has to become stale or offline. What was sent within `lagMs` may not have arrived yet. */
  silent(lagMs: number): SilentAgent[] {
    const silent: SilentAgent[] = []
    for (const [apId, agent] of this.#agents) {
      const silentMs = this.#clockMs - agent.seenAt
      const state = silentStateOf(silentMs - lagMs, agent.intervalMs)
      if (state && state !== agent.state)
        silent.push({ apId, state, silentS: silentMs / 1000, agent, seenAt: agent.seenAt })
    }
    return silent
  }

  /** An agent that sent a sample while it was written as offline has to be claimed again. */
  silentWritten(written: readonly SilentAgent[]): void {
    for (const { apId, state, agent, seenAt } of written)
      if (state === 'stale') Object.assign(agent, { state, staleSince: seenAt })
      else if (agent.seenAt > seenAt) agent.state = undefined
      else this.#agents.delete(apId)
  }
}

function silentStateOf(silentMs: number, intervalMs: number): Silence['state'] | undefined {
  if (silentMs >= offlineAfter * intervalMs) return 'offline'
  return silentMs >= staleAfter * intervalMs ? 'stale' : undefined
}
