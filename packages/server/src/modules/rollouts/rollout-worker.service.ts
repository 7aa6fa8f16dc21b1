import type { RolloutAgentState } from '@manc/contract'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { Refused } from '../../errors.ts'
import type { ConfigurationService } from '../agents/index.ts'
import type { Condition, FleetService } from '../fleet/index.ts'
import { merged } from './merge-patch.rules.ts'
import type { RolloutWorkStore } from './rollout-work.store.ts'
import type { AgentOutcome, ChangedAgent, Rollout } from './rollouts.types.ts'

interface Deps {
  postgres: Postgres
  store: RolloutWorkStore
  configurations: ConfigurationService
  fleet: FleetService
  countAgents: (labels: { outcome: string }) => void
}

/** Much longer than a turn. */
const leaseS = 15
/** Other rollouts have their turn after this. */
const turnMs = 3000
const batchSize = 20
const observedPerQuery = 1000

/** Why an agent that was well before its change has failed. */
const failures: Record<Exclude<Condition, 'well'> | 'removed', string> = {
  offline: 'It is offline since its change.',
  bad: 'Its health is bad since its change.',
  removed: 'It was removed after its change.',
}

/**
 * Changes the agents of rollouts. A rollout is leased for a turn. The change of an agent, its outcome and the progress are
 * one transaction, which needs the lease: after a crash another process continues with the agents that are left.
 */
export class RolloutWorker {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Until no rollout is due. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const rollout = await this.#deps.store.take(leaseS)
      if (!rollout) return
      if (!(await this.#deps.store.isOfAdministrator(rollout))) await this.#stopWithoutOwner(rollout)
      else if (rollout.state === 'undoing') await this.#undo(rollout, signal)
      else if (rollout.isObserving) await this.#endStage(rollout)
      else await this.#proceed(rollout, signal)
    }
  }

  /** Changes agents of the stage until the turn ends. */
  async #proceed(rollout: Rollout, signal: AbortSignal): Promise<void> {
    const { store, fleet } = this.#deps
    const endsAt = performance.now() + turnMs
    while (!signal.aborted && performance.now() < endsAt) {
      const batch = await store.pending(rollout, batchSize)
      if (batch.length === 0) return store.observe(rollout)
      const conditions = await fleet.conditions(batch)
      for (const apId of batch) {
        const count = await this.#change(rollout, apId, conditions.get(apId) === 'well')
        if (count === undefined || (await this.#stopIfTooMany(rollout, count))) return
      }
    }
    await store.release(rollout)
  }

  #change(rollout: Rollout, apId: string, wasWell: boolean): Promise<number | undefined> {
    const patch = JSON.parse(rollout.change) as Record<string, unknown>
    return this.#inTransaction(rollout, apId, ['pending'], async (tx) => {
      const written = await this.#deps.configurations.change(
        tx,
        apId,
        (configuration) => merged(configuration, patch),
        auditOf(rollout),
      )
      if (!written) return { state: 'unchanged', detail: null }
      return { state: 'applied', detail: null, written: { ...written, wasWell } }
    })
  }

  async #undo(rollout: Rollout, signal: AbortSignal): Promise<void> {
    const { store } = this.#deps
    const endsAt = performance.now() + turnMs
    while (!signal.aborted && performance.now() < endsAt) {
      const batch = await store.changed(rollout, batchSize)
      if (batch.length === 0) return store.end(rollout, { state: 'undone', detail: null })
      for (const agent of batch) if ((await this.#restore(rollout, agent)) === undefined) return
    }
    await store.release(rollout)
  }

  #restore(rollout: Rollout, { apId, ...written }: ChangedAgent): Promise<number | undefined> {
    return this.#inTransaction(rollout, apId, ['applied', 'failed'], async (tx) => {
      await this.#deps.configurations.restoreBefore(tx, apId, written, auditOf(rollout))
      return { state: 'undone', detail: null }
    })
  }

  /**
   * Returns the number of failures that count; undefined if the lease is not held any more. A refusal is the outcome of
   * the agent.
   */
  async #inTransaction(
    rollout: Rollout,
    apId: string,
    possible: readonly RolloutAgentState[],
    work: (tx: Tx) => Promise<AgentOutcome>,
  ): Promise<number | undefined> {
    const { postgres, store, countAgents } = this.#deps
    const attempt = (act: (tx: Tx) => Promise<AgentOutcome>) =>
      postgres.transaction(async (tx) => {
        const from = await store.lockFor(tx, rollout, apId)
        if (from === undefined || !possible.includes(from)) return undefined
        const outcome = await act(tx)
        postgres.afterCommit(tx, () => countAgents({ outcome: outcome.state }))
        return store.setOutcome(tx, rollout, { apId, from }, outcome)
      })
    try {
      return await attempt(work)
    } catch (error) {
      // An outage is no failure of the agent: the next turn tries again.
      if (!(error instanceof Refused) || error.kind === 'unavailable') throw error
      const state = rollout.state === 'undoing' ? 'skipped' : 'failed'
      return attempt(async () => ({ state, detail: error.message }))
    }
  }

  /** The agents were observed. Those that were well and are not any more have failed. */
  async #endStage(rollout: Rollout): Promise<void> {
    const { store, fleet } = this.#deps
    for (let after = '', batch: string[] = []; ; after = batch.at(-1) ?? after) {
      batch = await store.observed(rollout, after, observedPerQuery)
      const conditions = await fleet.conditions(batch)
      const now = Map.groupBy(batch, (apId) => conditions.get(apId) ?? 'removed')
      for (const [condition, apIds] of now)
        if (condition !== 'well') await store.setFailed(rollout, apIds, failures[condition])
      if (batch.length < observedPerQuery) break
    }
    if (await this.#stopIfTooMany(rollout, await store.failures(rollout))) return
    const next = await store.nextStage(rollout)
    if (next === undefined) return store.end(rollout, { state: 'completed', detail: null })
    await store.startStage(rollout, next)
  }

  async #stopIfTooMany(rollout: Rollout, count: number): Promise<boolean> {
    if (count <= rollout.maxFailures) return false
    const detail = `${count} access point${count === 1 ? ' has' : 's have'} failed.`
    await this.#deps.store.end(rollout, { state: 'stopped', detail })
    return true
  }

  async #stopWithoutOwner(rollout: Rollout): Promise<void> {
    const detail = `${rollout.ownerName} is no longer an administrator. Another one can resume or undo it.`
    await this.#deps.store.end(rollout, { state: 'stopped', detail })
  }
}

const auditOf = ({ id, ownerName }: Rollout) => ({
  by: { kind: 'user', name: ownerName },
  detail: { rollout: id },
})
