import type { RolloutAgentState } from '@manc/contract'
import { type Executor, type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import { rolloutColumns } from './rollouts.store.ts'
import type { AgentOutcome, ChangedAgent, Rollout } from './rollouts.types.ts'

/** Leases of rollouts and outcomes of their agents, for the worker. */
export class RolloutWorkStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Leases a rollout that is due. After the lease another process continues. */
  async take(leaseS: number): Promise<Rollout | undefined> {
    const { rows } = await sql<Rollout>`
      update rollouts set due_at = now() + make_interval(secs => ${leaseS}), lease = lease + 1
      where id = any(array(
        select id from rollouts where state in ('running', 'undoing') and due_at <= now()
        order by due_at limit 1 for update skip locked))
      returning ${rolloutColumns}
    `.execute(this.#postgres.db)
    return rows[0]
  }

  async isOfAdministrator({ owner }: Rollout): Promise<boolean> {
    const { rows } = await sql`select from users where id = ${owner} and is_admin`.execute(this.#postgres.db)
    return rows.length > 0
  }

  /** More is to be done now. */
  async release({ id, lease }: Rollout): Promise<void> {
    await sql`update rollouts set due_at = now() where id = ${id} and lease = ${lease}`.execute(
      this.#postgres.db,
    )
  }

  /** The agents of this stage and earlier ones were changed: they are observed. Ends the lease. */
  async observe({ id, lease, waitS }: Rollout): Promise<void> {
    await sql`
      update rollouts set is_observing = true, lease = lease + 1, due_at = now() + make_interval(secs => ${waitS})
      where id = ${id} and lease = ${lease}
    `.execute(this.#postgres.db)
  }

  /** Ends the lease. */
  async startStage({ id, lease }: Rollout, stage: number): Promise<void> {
    await sql`
      update rollouts set stage = ${stage}, is_observing = false, lease = lease + 1, due_at = now()
      where id = ${id} and lease = ${lease}
    `.execute(this.#postgres.db)
  }

  /** Ends the lease. */
  async end(
    { id, lease }: Rollout,
    { state, detail }: { state: Rollout['state']; detail: string | null },
  ): Promise<void> {
    await sql`
      update rollouts set state = ${state}, detail = ${detail}, state_at = now(), lease = lease + 1
      where id = ${id} and lease = ${lease}
    `.execute(this.#postgres.db)
  }

  /** The first stage with agents that wait; undefined: none. */
  async nextStage({ id }: Rollout): Promise<number | undefined> {
    const { rows } = await sql<{ stage: number | null }>`
      select min(stage) as stage from rollout_agents where rollout_id = ${id} and state = 'pending'
    `.execute(this.#postgres.db)
    return rows[0]?.stage ?? undefined
  }

  async pending({ id, stage }: Rollout, limit: number): Promise<string[]> {
    const { rows } = await sql<{ apId: string }>`
      select ap_id as "apId" from rollout_agents
      where rollout_id = ${id} and state = 'pending' and stage <= ${stage} order by stage, ap_id limit ${limit}
    `.execute(this.#postgres.db)
    return rows.map(({ apId }) => apId)
  }

  /** That were well before their change and have not failed. */
  async observed({ id }: Rollout, after: string, limit: number): Promise<string[]> {
    const { rows } = await sql<{ apId: string }>`
      select ap_id as "apId" from rollout_agents
      where rollout_id = ${id} and state = 'applied' and was_well and ap_id > ${after} order by ap_id limit ${limit}
    `.execute(this.#postgres.db)
    return rows.map(({ apId }) => apId)
  }

  /** That were changed and not undone. */
  async changed({ id }: Rollout, limit: number): Promise<ChangedAgent[]> {
    const { rows } = await sql<ChangedAgent>`
      select ap_id as "apId", agent_id as "agentId", version from rollout_agents
      where rollout_id = ${id} and state in ('applied', 'failed') and version is not null
      order by ap_id limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** Locks the rollout, and returns the state of the agent. Undefined: the lease is not held any more. */
  async lockFor(tx: Tx, { id, lease }: Rollout, apId: string): Promise<RolloutAgentState | undefined> {
    const { rows } = await sql<{ state: RolloutAgentState }>`
      select rollout_agents.state from rollouts join rollout_agents on rollout_id = id
      where id = ${id} and lease = ${lease} and ap_id = ${apId} for no key update of rollouts
    `.execute(tx)
    return rows[0]?.state
  }

  /** In the transaction that has locked the rollout. Returns the number of failures that count. */
  async setOutcome(
    tx: Tx,
    { id }: Rollout,
    { apId, from }: { apId: string; from: RolloutAgentState },
    { state, detail, written }: AgentOutcome,
  ): Promise<number> {
    await sql`
      update rollout_agents set state = ${state}, detail = ${detail}, at = now(),
        agent_id = coalesce(${written?.agentId ?? null}::uuid, agent_id),
        version = coalesce(${written?.version ?? null}::int, version),
        was_well = coalesce(${written?.wasWell ?? null}::boolean, was_well)
      where rollout_id = ${id} and ap_id = ${apId}
    `.execute(tx)
    return this.#count(tx, id, { from, to: state, agents: 1 })
  }

  async setFailed(rollout: Rollout, apIds: readonly string[], detail: string): Promise<void> {
    if (apIds.length === 0) return
    await this.#postgres.transaction(async (tx) => {
      const { rows } = await sql`
        select from rollouts where id = ${rollout.id} and lease = ${rollout.lease} for no key update
      `.execute(tx)
      if (rows.length === 0) return
      const { numAffectedRows } = await sql`
        update rollout_agents set state = 'failed', detail = ${detail}, at = now()
        where rollout_id = ${rollout.id} and ap_id = any(${[...apIds]}::text[]) and state = 'applied'
      `.execute(tx)
      await this.#count(tx, rollout.id, { from: 'applied', to: 'failed', agents: Number(numAffectedRows) })
    })
  }

  /** That count. */
  async failures({ id }: Rollout): Promise<number> {
    const { rows } = await sql<{ failures: number }>`
      select failed - forgiven as failures from rollouts where id = ${id}
    `.execute(this.#postgres.db)
    return rows[0]?.failures ?? 0
  }

  async #count(
    tx: Executor,
    id: string,
    { from, to, agents }: { from: RolloutAgentState; to: RolloutAgentState; agents: number },
  ): Promise<number> {
    const { rows } = await sql<{ failures: number }>`
      update rollouts set ${sql.ref(from)} = ${sql.ref(from)} - ${agents}::int,
        ${sql.ref(to)} = ${sql.ref(to)} + ${agents}::int
      where id = ${id} returning failed - forgiven as failures
    `.execute(tx)
    return rows[0]?.failures ?? 0
  }
}
