import type { JobState } from '@manc/contract'
import { changesSince, type Horizon } from '../../engines/postgres.horizon.ts'
import { type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import type { JobProgress } from '../jobs/index.ts'
import { endStates } from './commands.rules.ts'

/** The command to one agent, of a command to many. */
export interface Part {
  jobNumber: string
  apId: string
  state: JobState
  /** JSON text. */
  result: string | null
  detail: string | null
  endedAt: Date | null
}

export interface NewPart {
  jobNumber: string
  apId: string
  command: string
  /** Why this agent gets no command. */
  skipped: string | undefined
}

/** The last part of a page. */
export interface PartPosition {
  apId: string
  jobNumber: string
}

export class PartStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** After their jobs. */
  async insert(
    tx: Tx,
    { parent, owner, livesForS }: { parent: string; owner: string; livesForS: number },
    parts: readonly NewPart[],
  ): Promise<void> {
    await sql`
      insert into commands (job_number, ap_id, owner, command, state, detail, expires_at, parent)
      select job_number, ap_id, ${owner}::uuid, command, case when skipped is null then 'queued' else 'skipped' end,
        skipped, now() + make_interval(secs => ${livesForS}), ${parent}
      from unnest(
        ${parts.map(({ jobNumber }) => jobNumber)}::text[], ${parts.map(({ apId }) => apId)}::text[],
        ${parts.map(({ command }) => command)}::text[],
        ${parts.map(({ skipped }) => skipped ?? null)}::text[]) as part (job_number, ap_id, command, skipped)
    `.execute(tx)
  }

  async count(parent: string): Promise<{ agents: number; skipped: number }> {
    const { rows } = await sql<{ agents: number; skipped: number }>`
      select count(*) filter (where state <> 'skipped')::int as agents,
        count(*) filter (where state = 'skipped')::int as skipped
      from commands where parent = ${parent}
    `.execute(this.#postgres.db)
    return rows[0] ?? { agents: 0, skipped: 0 }
  }

  /** In the order of the agents' ids, and of the job numbers of an agent with several. */
  async page(parent: string, after: PartPosition, limit: number): Promise<Part[]> {
    const { rows } = await sql<Part>`
      select job_number as "jobNumber", ap_id as "apId", state, result, detail,
        (select ended_at from jobs where jobs.job_number = commands.job_number) as "endedAt"
      from commands where parent = ${parent} and ap_id >= ${after.apId} and (ap_id, job_number) > (${after.apId}, ${after.jobNumber})
      order by ap_id, job_number limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** The parts that their agents have not acknowledged. */
  async undelivered(parent: string, limit: number): Promise<string[]> {
    const { rows } = await sql<{ jobNumber: string }>`
      select job_number as "jobNumber" from commands
      where parent = ${parent} and state in ('queued', 'sent') order by ap_id limit ${limit}
    `.execute(this.#postgres.db)
    return rows.map(({ jobNumber }) => jobNumber)
  }

  /** The jobs of parts that were created or have changed since the horizon, and the horizon for the next poll. */
  async parentsSince(horizon: Horizon): Promise<{ parents: string[]; horizon: Horizon }> {
    const { rows, ...next } = await changesSince<{ parent: string }>(
      this.#postgres,
      {
        name: 'parents of commands since',
        table: 'commands',
        columns: 'parent',
        where: 'parent is not null group by parent',
      },
      horizon,
    )
    return { parents: rows.map(({ parent }) => parent), ...next }
  }

  /** Of these jobs (default: all) that are open, where it differs from the progress that their clients know. */
  async changedProgress(parents?: readonly string[]): Promise<JobProgress[]> {
    const { rows } = await sql<JobProgress>`
      select jobs.job_number as "jobNumber", counted.progress, counted.is_complete as "isComplete"
      from jobs, lateral (
        select json_object_agg(state, count order by state)::text as progress,
          bool_and(state = any(${[...endStates]}::text[])) as is_complete
        from (
          select state, count(*) as count from commands where commands.parent = jobs.job_number group by state) as part
      ) as counted
      where jobs.kind = 'send_commands' and jobs.state = 'open'
        ${parents ? sql`and jobs.job_number = any(${[...parents]})` : sql``}
        and counted.progress is not null and counted.progress is distinct from jobs.progress::text
    `.execute(this.#postgres.db)
    return rows
  }
}
