import { randomUUID } from 'node:crypto'
import type { HealthRule } from '@manc/contract'
import type { Logger } from 'pino'
import { chunksOf } from '../../chunks.ts'
import type { Horizon } from '../../engines/postgres.horizon.ts'
import type { Postgres } from '../../engines/postgres.ts'
import { Loop } from '../../loop.ts'
import { type EventService, healthEvent, presenceEvent } from '../events/index.ts'
import type { FleetStore, HealthChange, MonitoredRow } from './fleet.store.ts'
import type { HealthPlan } from './health.rules.ts'
import { MonitoredAgents, runIntervalMs, type SilentAgent } from './monitored-agents.rules.ts'
import type { MonitorStore } from './monitors.store.ts'

export interface PresenceDeps {
  postgres: Postgres
  events: EventService
  store: FleetStore
  monitors: MonitorStore
  /** Agents that have sent a sample count as onboarded. */
  markOnboard: (apIds: string[]) => Promise<void>
  /** All samples that were sent longer ago than this were received, by this replica or another. Infinity: not known. */
  lagMs: () => number
  healthRule: HealthRule
  log: Logger
}

/** With a longer delay, samples arrive too late to tell which agents are silent. */
const maxLagMs = 5000
/** A run that comes later than this was delayed, and the samples of its agents too. */
const maxObservedMs = 2500
/** Rows per statement, so that each ends within the timeout. */
const batchSize = 5000
/** Successful runs in a row before another monitor's missing heartbeats are its own fault, and not a shared outage. */
const runsBeforeTakeover = 12

/**
 * Detects when agents come online, when they fall silent and how healthy they are. This replica monitors the agents whose samples it
 * receives: a sample costs a look-up in memory, and once a second all state changes are written as a batch.
 *
 * Each agent that is not offline has one monitor. The replica that receives a sample claims the agent; the agents of a
 * dead monitor are adopted by the others. While samples arrive late at any replica, no agent is reported as silent: an
 * adopted agent may have sent to a queue of the replica that lags.
 */
export class PresenceService {
  readonly #deps: PresenceDeps
  readonly #loop: Loop
  readonly #monitor = randomUUID()
  readonly #agents: MonitoredAgents
  #lastRunAt = performance.now()
  #wasCurrent = false
  #horizon: Horizon | undefined
  #successfulRuns = 0

  constructor(deps: PresenceDeps) {
    this.#deps = deps
    this.#agents = new MonitoredAgents(deps.healthRule)
    this.#loop = new Loop({
      name: 'monitoring agents',
      intervalMs: runIntervalMs,
      log: deps.log,
      run: () => this.run(),
    })
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    // If this fails, the other monitors notice the missing heartbeats.
    await this.#deps.monitors.retire(this.#monitor).catch(() => {})
  }

  /** `plan`: what its values say about the health; undefined for a sample without metrics. */
  recordSample(apId: string, plan?: HealthPlan, values?: readonly number[], tsMs?: number): void {
    this.#agents.recordSample(apId, plan, values, tsMs)
  }

  async run(): Promise<void> {
    const lagMs = this.#deps.lagMs()
    const isCurrent = this.#advanceClock(lagMs)
    try {
      await this.#releaseLost()
      await this.#adopt()
      await this.#claim()
      if (isCurrent) await this.#writeSilent(lagMs)
      await this.#writeHealths()
      await this.#deps.monitors.heartbeat(this.#monitor, isCurrent)
      this.#successfulRuns += 1
    } catch (error) {
      this.#successfulRuns = 0
      throw error
    }
  }

  /** True if all samples were received since the last run; only that time counts as silence of an agent. */
  #advanceClock(lagMs: number): boolean {
    const now = performance.now()
    const elapsedMs = now - this.#lastRunAt
    const isCurrent = lagMs <= maxLagMs
    const wasCurrentThroughout = isCurrent && this.#wasCurrent
    if (wasCurrentThroughout) this.#agents.advanceClock(Math.min(elapsedMs, maxObservedMs))
    this.#wasCurrent = isCurrent
    this.#lastRunAt = now
    return wasCurrentThroughout
  }

  async #releaseLost(): Promise<void> {
    const { apIds, horizon } = await this.#deps.store.notMonitoredBy(this.#monitor, this.#horizon)
    this.#horizon = horizon
    this.#agents.release(apIds)
  }

  async #adopt(): Promise<void> {
    const mayTakeOver = this.#successfulRuns >= runsBeforeTakeover
    for (;;) {
      const adopted = await this.#deps.store.adopt(this.#monitor, batchSize, mayTakeOver)
      this.#agents.adopt(adopted)
      if (adopted.length < batchSize) break
    }
    if (mayTakeOver) await this.#deps.monitors.deleteDead()
  }

  async #claim(): Promise<void> {
    for (const apIds of chunksOf(this.#agents.toClaim(), batchSize)) {
      await this.#deps.markOnboard(apIds)
      this.#agents.claimed(apIds, await this.#writeClaim(apIds))
    }
  }

  #writeClaim(apIds: string[]): Promise<MonitoredRow[]> {
    const { postgres, store, events } = this.#deps
    return postgres.transaction(async (tx) => {
      const rows = await store.claim(tx, this.#monitor, apIds)
      await events.append(
        tx,
        rows.flatMap(({ apId, isChanged }) => (isChanged ? presenceEvent(apId, 'online') : [])),
      )
      return rows
    })
  }

  #setSilent(silent: SilentAgent[]): Promise<void> {
    const { postgres, store, events } = this.#deps
    return postgres.transaction(async (tx) => {
      const changed = await store.setSilent(tx, this.#monitor, silent)
      await events.append(
        tx,
        changed.map(({ apId, state }) => presenceEvent(apId, state)),
      )
    })
  }

  async #writeSilent(lagMs: number): Promise<void> {
    for (const silent of chunksOf(this.#agents.silent(lagMs), batchSize)) {
      await this.#setSilent(silent)
      this.#agents.silentWritten(silent)
    }
  }

  #setHealths(changes: HealthChange[]): Promise<void> {
    const { postgres, store, events } = this.#deps
    return postgres.transaction(async (tx) => {
      const changed = await store.setHealths(tx, this.#monitor, changes)
      // The first good sample of an agent is no change of its health.
      const known = changed.filter(({ from, to }) => from !== 'unknown' || to !== 'good')
      await events.append(
        tx,
        known.map(({ apId, ...change }) => healthEvent(apId, change)),
      )
    })
  }

  async #writeHealths(): Promise<void> {
    const changes = this.#agents.takeHealthChanges()
    let written = 0
    try {
      for (const batch of chunksOf(changes, batchSize)) {
        await this.#setHealths(batch)
        written += batch.length
      }
    } catch (error) {
      this.#agents.returnHealthChanges(changes.slice(written))
      throw error
    }
  }
}
