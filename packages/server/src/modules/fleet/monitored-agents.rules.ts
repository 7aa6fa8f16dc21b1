import type { HealthRule, Technology } from '@manc/contract'
import type { HealthChange, MonitoredRow, Silence } from './fleet.store.ts'
import { type HealthPlan, HealthTracker } from './health.rules.ts'

interface MonitoredAgent {
  readonly apId: string
  /** When its last sample arrived, on this class's clock. */
  seenAt: number
  /** The stored state; undefined: has to be claimed first. */
  state: 'online' | 'stale' | undefined
  intervalMs: number
  /** Key of its next check. Checks that were scheduled before with other keys do not count. */
  checkKey: number
  technology: Technology
  /** Undefined until it is claimed: it begins with the stored health. */
  health: HealthTracker | undefined
  /** The newest sample until then. */
  waiting: KpiSample | undefined
}

interface KpiSample {
  plan: HealthPlan
  values: readonly number[]
  tsMs: number
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
 *
 * A run looks at agents that may have become silent since the last one, not at all agents: each is checked when it would be
 * silent without a further sample, and then again that long after its newest sample.
 */
export class MonitoredAgents {
  readonly #agents = new Map<string, MonitoredAgent>()
  readonly #rule: HealthRule
  /** Agents whose health has to be written. */
  #changed = new Set<string>()
  /** Agents with samples that are not stored as online yet. */
  readonly #toClaim = new Set<string>()
  /** By second of the clock. */
  readonly #checks = new Map<number, MonitoredAgent[]>()
  #nextCheckKey = 0
  #clockMs = 0

  constructor(rule: HealthRule) {
    this.#rule = rule
  }

  advanceClock(ms: number): void {
    this.#clockMs += ms
  }

  /** `plan`: what its values say about the health; undefined for a sample without metrics. */
  recordSample(apId: string, plan?: HealthPlan, values: readonly number[] = [], tsMs = 0): void {
    // The clock moves once per run. Counted from the next run on, no agent is silent too early.
    const seenAt = this.#clockMs + runIntervalMs
    let agent = this.#agents.get(apId)
    if (agent) {
      agent.seenAt = seenAt
      if (agent.state === 'stale') this.#toClaim.add(apId)
    } else {
      agent = newAgent({ apId, seenAt })
      this.#agents.set(apId, agent)
      this.#toClaim.add(apId)
    }
    if (!plan) return
    if (agent.health) this.#recordHealth(apId, agent, plan, values, tsMs)
    else if (!agent.waiting || tsMs >= agent.waiting.tsMs) agent.waiting = { plan, values, tsMs }
  }

  #recordHealth(
    apId: string,
    { health, technology }: MonitoredAgent,
    plan: HealthPlan,
    values: readonly number[],
    tsMs: number,
  ): void {
    if (health?.record(plan.steps(technology), values, tsMs, this.#rule)) this.#changed.add(apId)
  }

  adopt(rows: readonly MonitoredRow[]): void {
    for (const row of rows) {
      const { apId, state, intervalS } = row
      const intervalMs = intervalS * 1000
      const silentMs = state === 'stale' ? (offlineAfter - graceOfStale) * intervalMs : 0
      const seenAt = this.#clockMs - silentMs
      const { waiting } = this.#agents.get(apId) ?? {}
      const agent = newAgent({ apId, seenAt, state, intervalMs, waiting })
      this.#agents.set(apId, agent)
      this.#toClaim.delete(apId)
      this.#beginHealth(agent, row)
      this.#schedule(agent)
    }
  }

  /** Agents that are still to be claimed are kept: their samples arrived here. */
  release(apIds: readonly string[]): void {
    for (const apId of apIds) if (this.#agents.get(apId)?.state) this.#forget(apId)
  }

  /** Agents with samples that are not stored as online yet. */
  toClaim(): string[] {
    return [...this.#toClaim]
  }

  /** Agents that were not claimed are not registered (any more). */
  claimed(apIds: readonly string[], rows: readonly MonitoredRow[]): void {
    const claimedRows = new Map(rows.map((row) => [row.apId, row]))
    for (const apId of apIds) {
      const row = claimedRows.get(apId)
      const agent = this.#agents.get(apId)
      this.#toClaim.delete(apId)
      if (!row) this.#forget(apId)
      else if (agent) {
        // A stale agent was this monitor's all the time: what it has in memory is newer.
        if (agent.state === undefined) this.#beginHealth(agent, row)
        Object.assign(agent, { state: 'online', intervalMs: row.intervalS * 1000 })
        this.#schedule(agent)
      }
    }
  }

  #beginHealth(agent: MonitoredAgent, row: MonitoredRow): void {
    const { waiting } = agent
    agent.technology = row.technology
    agent.health = new HealthTracker(row)
    agent.waiting = undefined
    if (waiting) this.#recordHealth(row.apId, agent, waiting.plan, waiting.values, waiting.tsMs)
  }

  /** Healths that have changed since the last call. */
  takeHealthChanges(): HealthChange[] {
    const changed = this.#changed
    this.#changed = new Set()
    return [...changed].flatMap((apId) => {
      const health = this.#agents.get(apId)?.health
      return health ? [{ apId, kpiHealth: health.kpiHealth, reasons: health.reasons }] : []
    })
  }

  /** They are taken again with the next ones. */
  returnHealthChanges(changes: readonly HealthChange[]): void {
    for (const { apId } of changes) this.#changed.add(apId)
  }

  /** Agents whose stored state has to become stale or offline. What was sent within `lagMs` may not have arrived yet. */
  silent(lagMs: number): SilentAgent[] {
    const silent: SilentAgent[] = []
    for (const agent of this.#takeChecks()) {
      const { apId, seenAt, intervalMs } = agent
      const silentMs = this.#clockMs - seenAt
      const state = silentStateOf(silentMs - lagMs, intervalMs)
      if (state && state !== agent.state)
        silent.push({ apId, state, silentS: silentMs / 1000, agent, seenAt })
      this.#schedule(agent)
    }
    return silent
  }

  /** An agent that sent a sample while it was written as offline has to be claimed again. */
  silentWritten(written: readonly SilentAgent[]): void {
    for (const { apId, state, agent, seenAt } of written) {
      const hasSent = agent.seenAt > seenAt
      if (state === 'stale') Object.assign(agent, { state })
      else if (hasSent) Object.assign(agent, { state: undefined, health: undefined })
      else this.#forget(apId)
      if (hasSent) this.#toClaim.add(apId)
    }
  }

  #forget(apId: string): void {
    this.#agents.delete(apId)
    this.#toClaim.delete(apId)
  }

  /**
   * Its next check. One that is due stays due until the change is written: it comes again in the next run, as does one that
   * waits for delayed samples.
   */
  #schedule(agent: MonitoredAgent): void {
    const missed = agent.state === 'stale' ? offlineAfter : staleAfter
    const second = Math.floor((agent.seenAt + missed * agent.intervalMs) / 1000)
    const key = Math.max(second, this.#nextCheckKey)
    if (agent.checkKey === key) return
    agent.checkKey = key
    const checks = this.#checks.get(key)
    if (checks) checks.push(agent)
    else this.#checks.set(key, [agent])
  }

  /** Removes those that are due until now. */
  #takeChecks(): MonitoredAgent[] {
    const due: MonitoredAgent[] = []
    for (const end = Math.floor(this.#clockMs / 1000); this.#nextCheckKey <= end; this.#nextCheckKey++) {
      const key = this.#nextCheckKey
      for (const agent of this.#checks.get(key) ?? [])
        if (agent.checkKey === key && agent.state && this.#agents.get(agent.apId) === agent) {
          // It may be in this list twice.
          agent.checkKey = -1
          due.push(agent)
        }
      this.#checks.delete(key)
    }
    return due
  }
}

const newAgent = (known: Pick<MonitoredAgent, 'apId'> & Partial<MonitoredAgent>): MonitoredAgent => ({
  seenAt: 0,
  state: undefined,
  intervalMs: 0,
  checkKey: -1,
  technology: 'other',
  health: undefined,
  waiting: undefined,
  ...known,
})

function silentStateOf(silentMs: number, intervalMs: number): Silence['state'] | undefined {
  if (silentMs >= offlineAfter * intervalMs) return 'offline'
  return silentMs >= staleAfter * intervalMs ? 'stale' : undefined
}
