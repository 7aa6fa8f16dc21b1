import type { RolloutAgentState } from '@manc/contract'
import { type Executor, type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import type { NewRollout, Rollout, RolloutAgent, RolloutOwner } from './rollouts.types.ts'

export const rolloutColumns = sql`
  id, owner, owner_name as "ownerName", created_by as "createdBy", title, change, state, detail, agents, stage,
  is_observing as "isObserving", wait_s as "waitS", max_failures as "maxFailures", forgiven,
  jsonb_build_object('pending', pending, 'applied', applied, 'unchanged', unchanged, 'failed', failed,
    'undone', undone, 'skipped', skipped) as progress,
  due_at as "dueAt", lease, created_at as "createdAt", state_at as "stateAt"
`
/** A statement has to end within the time limit of queries. */
const agentsPerStatement = 2000

/** Rollouts, for requests of callers. */
export class RolloutStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Concurrent requests of an owner wait for each other, so that the number in progress is exact. */
  async countInProgress(tx: Tx, owner: string): Promise<number> {
    await sql`select pg_advisory_xact_lock(hashtextextended('rollouts ' || ${owner}, 0))`.execute(tx)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from rollouts where owner = ${owner} and state in ('running', 'undoing')
    `.execute(tx)
    return rows[0]?.count ?? 0
  }

  async insert(
    tx: Tx,
    rollout: NewRollout,
    agents: readonly { apId: string; stage: number }[],
  ): Promise<void> {
    const { id, owner, ownerName, title, change, waitS, maxFailures } = rollout
    await sql`
      insert into rollouts (id, owner, owner_name, created_by, title, change, agents, pending, wait_s, max_failures)
      values (${id}, ${owner}, ${ownerName}, ${ownerName}, ${title}, ${change}, ${agents.length}, ${agents.length},
        ${waitS}, ${maxFailures})
    `.execute(tx)
    for (let from = 0; from < agents.length; from += agentsPerStatement) {
      const some = agents.slice(from, from + agentsPerStatement)
      await sql`
        insert into rollout_agents (rollout_id, ap_id, stage)
        select ${id}::uuid, ap_id, stage
        from unnest(${some.map(({ apId }) => apId)}::text[], ${some.map(({ stage }) => stage)}::int[])
          as new (ap_id, stage)
      `.execute(tx)
    }
  }

  async find(id: string, db: Executor = this.#postgres.db): Promise<Rollout | undefined> {
    const { rows } = await sql<Rollout>`select ${rolloutColumns} from rollouts where id = ${id}`.execute(db)
    return rows[0]
  }

  /** The newest first, starting before the rollout `after`. */
  async page(after: string | undefined, limit: number): Promise<Rollout[]> {
    const earlier = after
      ? sql`where (created_at, id) < (select created_at, id from rollouts where id = ${after})`
      : sql``
    const { rows } = await sql<Rollout>`
      select ${rolloutColumns} from rollouts ${earlier} order by created_at desc, id desc limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  async agents(
    id: string,
    { state, after, limit }: { state: RolloutAgentState | undefined; after: string; limit: number },
  ): Promise<RolloutAgent[]> {
    const { rows } = await sql<RolloutAgent>`
      select ap_id as "apId", stage, state, detail, version, at from rollout_agents
      where rollout_id = ${id} and ap_id > ${after} and ${state ? sql`state = ${state}` : sql`true`}
      order by ap_id limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** Returns whether it had one of the states. Ends a lease. */
  async setState(
    tx: Executor,
    id: string,
    from: readonly Rollout['state'][],
    { state, detail, owner }: { state: Rollout['state']; detail: string | null; owner?: RolloutOwner },
  ): Promise<boolean> {
    const { numAffectedRows } = await sql`
      update rollouts set state = ${state}, detail = ${detail}, state_at = now(), due_at = now(), lease = lease + 1,
        owner = coalesce(${owner?.id ?? null}::uuid, owner), owner_name = coalesce(${owner?.name ?? null}, owner_name)
      where id = ${id} and state = any(${[...from]}::text[])
    `.execute(tx)
    return numAffectedRows === 1n
  }

  /** What has failed until now no longer counts, and its stage is observed again. */
  async forgive(tx: Tx, id: string): Promise<void> {
    await sql`update rollouts set is_observing = false, forgiven = failed where id = ${id}`.execute(tx)
  }

  async deleteOld(limits: { days: number; perOwner: number }): Promise<void> {
    await sql`
      delete from rollouts where id in (
        select id from (
          select id, state_at, row_number() over (partition by owner order by state_at desc, id) as position
          from rollouts where state not in ('running', 'undoing')
        ) as idle
        where state_at < now() - make_interval(days => ${limits.days}) or position > ${limits.perOwner})
    `.execute(this.#postgres.db)
  }
}
