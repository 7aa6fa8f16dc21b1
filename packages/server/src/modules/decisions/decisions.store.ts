import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'
import { likeOfGlob } from '../../globs.ts'
import type { DecisionFilter, DecisionRow, DecisionView } from './decisions.types.ts'

/** Ids are made by the clocks of replicas, times by that of the database. */
const maxClockDifferenceMs = 60_000

/** A command that has not ended has the state that the module of commands knows. */
const columns = sql`d.id, d.owner, d.owner_kind as "ownerKind", d.owner_name as "ownerName", d.policy, d.mode, d.state,
  d.reason, d.client, d.observed, d.expected, d.measured, d.job_number as "jobNumber", d.reverts,
  d.reverted_by as "revertedBy", d.created_at as "createdAt", d.expires_at as "expiresAt", d.decided_by as "decidedBy",
  d.decided_at as "decidedAt", d.executed_at as "executedAt", d.measure_at as "measureAt", d.measured_at as "measuredAt",
  (select coalesce(jsonb_agg(jsonb_build_object('apId', c.ap_id, 'command', c.command, 'verdict', c.verdict,
      'detail', c.detail, 'jobNumber', c.job_number, 'state', coalesce(c.state, commands.state), 'result', c.result,
      'endedAt', c.ended_at)
      order by c.n), '[]')
    from decision_commands as c left join commands on commands.job_number = c.job_number
    where c.decision_id = d.id) as commands`

/** Reads decisions. */
export class DecisionStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** The newest first. */
  async page(filter: DecisionFilter, after: string | undefined, limit: number): Promise<DecisionRow[]> {
    const { view, owner, apId, client, states, from, to } = filter
    const named = apId === undefined ? sql`` : sql`join decision_agents as a on a.decision_id = d.id`
    const { rows } = await sql<DecisionRow>`
      select ${columns} from decisions as d ${named}
      where ${after === undefined ? sql`true` : sql`d.id < ${after}::uuid`} and ${isVisible(view)}
        and ${apId === undefined ? sql`true` : sql`a.ap_id = ${apId}`}
        and ${owner === undefined ? sql`true` : sql`d.owner_name = ${owner}`}
        and ${client === undefined ? sql`true` : isAbout(client)}
        and ${states ? sql`d.state = any(${[...states]}::text[])` : sql`true`}
        and ${from ? sql`d.created_at >= ${from} and d.id >= ${idAt(from.getTime() - maxClockDifferenceMs)}::uuid` : sql`true`}
        and ${to ? sql`d.created_at <= ${to} and d.id <= ${idAt(to.getTime() + maxClockDifferenceMs)}::uuid` : sql`true`}
      order by d.id desc limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  async find(db: Executor, view: DecisionView, id: string): Promise<DecisionRow | undefined> {
    const { rows } = await sql<DecisionRow>`
      select ${columns} from decisions as d where d.id = ${id}::uuid and ${isVisible(view)}
    `.execute(db)
    return rows[0]
  }

  /** The decision that was created by a request with this key within 24 hours. */
  async ofKey(db: Executor, owner: string, key: string): Promise<string | undefined> {
    const { rows } = await sql<{ id: string }>`
      select id from decisions
      where owner = ${owner}::uuid and request_key = ${key} and created_at > now() - interval '24 hours'
    `.execute(db)
    return rows[0]?.id
  }

  /** For how long the first one that is due has been waiting. */
  async overdueS(): Promise<number> {
    const { rows } = await sql<{ overdueS: number }>`
      select greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as "overdueS"
      from decisions where due_at is not null
    `.execute(this.#postgres.db)
    return rows[0]?.overdueS ?? 0
  }
}

/** The smallest UUID of version 7 of this time. */
function idAt(ms: number): string {
  const hex = Math.max(0, Math.min(ms, 2 ** 48 - 1))
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

function isVisible({ app }: DecisionView) {
  if (!app) return sql`true`
  return sql`(d.owner = ${app.id}::uuid and not exists (
    select from decision_agents as named
    where named.decision_id = d.id and not named.ap_id like any(${app.patterns.map(likeOfGlob)}::text[])))`
}

/** It names the client, or one of its commands steers it. */
const isAbout = (client: string) => sql`d.id in (
  select id from decisions where client = ${client} union all select decision_id from decision_commands where client = ${client})`
