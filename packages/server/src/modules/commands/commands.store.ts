import type { JobState } from '@manc/contract'
import { changesSince, type Horizon } from '../../engines/postgres.horizon.ts'
import { type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import { endStates, previousStates } from './commands.rules.ts'

export interface Command {
  jobNumber: string
  apId: string
  command: string
  expiresAt: Date
}

export interface NewCommand {
  jobNumber: string
  apId: string
  owner: string
  command: string
  livesForS: number
  /** Of its trace, if it is traced. */
  traceparent: string | undefined
}

/** A new state of a command. */
export interface Change {
  jobNumber: string
  state: JobState
  /** JSON text of the agent's answer. */
  result?: string | undefined
  detail?: string | undefined
}

export interface Changed {
  /** Number of the job that it is a part of. */
  parent: string | null
  traceparent: string | null
  /** When it was requested, of a command that is traced. */
  tracedSince: Date | null
  jobNumber: string
  apId: string
  command: string
  state: JobState
  /** JSON text. */
  result: string | null
  detail: string | null
}

export interface DueCommand extends Command {
  owner: string
  state: JobState
  wasSent: boolean
  hasExpired: boolean
  isAgentDeleted: boolean
  traceparent: string | null
}

interface Turn {
  /** The owner that had the last turn; none for the first. */
  afterOwner: string | undefined
  limit: number
  maxPerOwner: number
}

interface Attempts {
  /** Seconds until a command that could not be sent is due again: they grow with its age. */
  retry: { minS: number; maxS: number }
  /** The age of a command is the time that has passed of these. */
  livesForS: number
}

/** The index `commands_by_owner` has the same condition: the planner compares the texts. */
const isPending = sql`state not in (${sql.join(endStates.map((state) => sql.lit(state)))})`
/**
 * So does the index `commands_undelivered`. From `coalesce` the planner cannot infer the condition of any other index. While it
 * believes that few commands are pending, it would read all of such an index instead of the entries of one agent.
 */
const isUndelivered = sql`coalesce(commands.state in ('queued', 'sent'), false)`
type Sql = ReturnType<typeof sql>
const firstOwner = '00000000-0000-0000-0000-000000000000'

const columns = sql`job_number as "jobNumber", ap_id as "apId", command, expires_at as "expiresAt"`

export class CommandStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async insert(
    tx: Tx,
    { jobNumber, apId, owner, command, livesForS, traceparent }: NewCommand,
  ): Promise<void> {
    await sql`
      insert into commands (job_number, ap_id, owner, command, expires_at, traceparent)
      values (${jobNumber}, ${apId}, ${owner}, ${command}, now() + make_interval(secs => ${livesForS}),
        ${traceparent ?? null})
    `.execute(tx)
  }

  /**
   * Those of these agents for which at least `max` commands of the owner wait. The owner is no condition of the subquery: the
   * planner would read all pending commands of the owner.
   */
  async withTooMany(tx: Tx, apIds: readonly string[], owner: string, max: number): Promise<string[]> {
    const { rows } = await sql<{ apId: string }>`
      select ap_id as "apId" from unnest(${apIds}::text[]) as requested (ap_id) where (
        select count(*) filter (where commands.owner = ${owner}) from commands
        where commands.ap_id = requested.ap_id and ${isUndelivered}) >= ${max}
    `.execute(tx)
    return rows.map(({ apId }) => apId)
  }

  /** Commands of applications other than the holder that were not yet delivered. */
  async undeliveredOfOthers(tx: Tx, apIds: readonly string[], holder: string): Promise<string[]> {
    const { rows } = await sql<{ jobNumber: string }>`
      select commands.job_number as "jobNumber" from commands
      join third_party_apps on third_party_apps.id = commands.owner
      where commands.ap_id = any(${apIds}) and ${isUndelivered} and commands.owner <> ${holder}
    `.execute(tx)
    return rows.map(({ jobNumber }) => jobNumber)
  }

  async lock(tx: Tx, jobNumbers: readonly string[]): Promise<void> {
    await sql`
      select from commands where job_number = any(${jobNumbers}) order by job_number for no key update
    `.execute(tx)
  }

  /**
   * At most one change for each command. Returns those that were possible from the state that the command had. The states
   * are compared within one row of `news`: an UPDATE that was blocked by another re-checks the new version of its row with
   * the same row of `news`.
   */
  async change(tx: Tx, changes: readonly Change[], dueInS: number): Promise<Changed[]> {
    const { rows } = await sql<Changed>`
      update commands set
        state = news.state, was_sent = was_sent or news.state = 'sent',
        due_at = now() + make_interval(secs => ${dueInS}), transaction_id = pg_current_xact_id(),
        result = news.result, detail = news.detail
      from unnest(
        ${changes.map(({ jobNumber }) => jobNumber)}::text[], ${changes.map(({ state }) => state)}::text[],
        ${changes.map(({ state }) => (previousStates[state] ?? []).join(' '))}::text[],
        ${changes.map(({ result }) => result ?? null)}::text[], ${changes.map(({ detail }) => detail ?? null)}::text[])
        as news (job_number, state, previous, result, detail)
      where commands.job_number = news.job_number and commands.state = any(string_to_array(news.previous, ' '))
      returning commands.job_number as "jobNumber", commands.ap_id as "apId", commands.command, news.state, news.result,
        news.detail, commands.parent, commands.traceparent,
        case when commands.traceparent is not null
          then (select created_at from jobs where jobs.job_number = commands.job_number) end as "tracedSince"
    `.execute(tx)
    return rows
  }

  /** The commands that an agent has not acknowledged and may still carry out. */
  async pendingFor(apId: string): Promise<Command[]> {
    const { rows } = await sql<Command>`
      select ${columns} from commands
      where ap_id = ${apId} and ${isUndelivered} and expires_at > now()
      order by job_number limit 100
    `.execute(this.#postgres.db)
    return rows
  }

  /** By job number. */
  async find(
    jobNumbers: readonly string[],
  ): Promise<Map<string, { apId: string; state: JobState; command: string }>> {
    const { rows } = await sql<{ jobNumber: string; apId: string; state: JobState; command: string }>`
      select job_number as "jobNumber", ap_id as "apId", state, command from commands where job_number = any(${jobNumbers})
    `.execute(this.#postgres.db)
    return new Map(rows.map(({ jobNumber, ...command }) => [jobNumber, command]))
  }

  /** No command is due before the grace period is over. */
  async postpone(graceS: number): Promise<void> {
    await sql`
      update commands set due_at = now() + make_interval(secs => ${graceS})
      where state in ('sent', 'delivered') and due_at < now() + make_interval(secs => ${graceS})
    `.execute(this.#postgres.db)
  }

  async unfinished(): Promise<{ state: JobState; commands: number }[]> {
    const { rows } = await sql<{ state: JobState; commands: number }>`
      select state, count(*)::float8 as commands from commands where state in ('queued', 'sent', 'delivered') group by state
    `.execute(this.#postgres.db)
    return rows
  }

  /**
   * Leases due commands, in turns of their owners: the commands of one owner wait behind a bounded number of another's.
   * Concurrent callers take different commands. The search skips from owner to owner in an index.
   */
  takeDue({ afterOwner, limit, maxPerOwner }: Turn, attempts: Attempts): Promise<DueCommand[]> {
    return this.#lease(
      sql`
        with recursive owners (owner) as (
          (select owner from commands where ${isPending} and owner > ${afterOwner ?? firstOwner} order by owner limit 1)
          union all
          select following.owner from owners cross join lateral (
            select commands.owner from commands where ${isPending} and commands.owner > owners.owner
            order by commands.owner limit 1
          ) as following
        )
        select due.job_number from owners cross join lateral (
          select job_number from commands where ${isPending} and commands.owner = owners.owner and due_at <= now()
          order by due_at limit ${maxPerOwner} for update skip locked
        ) as due
        limit ${limit}`,
      attempts,
    )
  }

  /**
   * Leases those of these commands that are due, of each owner at most a number. The others are left to `takeDue`. `limit` and
   * `coalesce` leave the planner no choice but to look each of them up by its number, whatever it believes of the table. All
   * of them are locked for a moment, and a batch of that moment skips them.
   */
  takeAnnounced(
    jobNumbers: readonly string[],
    maxPerOwner: number,
    attempts: Attempts,
  ): Promise<DueCommand[]> {
    return this.#lease(
      sql`
        select job_number from (
          select due.job_number, row_number() over (partition by due.owner) as turn
          from unnest(${jobNumbers}::text[]) as announced (job_number) cross join lateral (
            select commands.job_number, commands.owner from commands
            where commands.job_number = announced.job_number and coalesce(state = 'queued', false) and due_at <= now()
            limit 1 for update skip locked
          ) as due
        ) as turns
        where turn <= ${maxPerOwner}`,
      attempts,
    )
  }

  /** `jobNumbers`: a query, whose rows are collected in an array, because the planner may run a plain subquery more than once. */
  async #lease(jobNumbers: Sql, { retry, livesForS }: Attempts): Promise<DueCommand[]> {
    const ageS = sql`extract(epoch from now() - expires_at) + ${livesForS}::float8`
    const retryS = sql`greatest(${retry.minS}, least(${retry.maxS}, (${ageS}) * 2))`
    const { rows } = await sql<DueCommand>`
      update commands set due_at = now() + make_interval(secs => ${retryS})
      where job_number = any(array(${jobNumbers}))
      returning ${columns}, owner, state, was_sent as "wasSent", expires_at <= now() as "hasExpired",
        not exists (select from agents where agents.ap_id = commands.ap_id) as "isAgentDeleted", traceparent
    `.execute(this.#postgres.db)
    return rows
  }

  /** Makes the commands due that wait for this agent. */
  async makeDue(apId: string): Promise<void> {
    await sql`
      update commands set due_at = now()
      where ap_id = ${apId} and ${isUndelivered} and state <> 'sent' and due_at > now()
    `.execute(this.#postgres.db)
  }

  /** The agents of pending commands that changed since the horizon, and the horizon for the next poll. */
  async pendingSince(horizon: Horizon): Promise<{ apIds: string[]; horizon: Horizon }> {
    const { rows, ...next } = await changesSince<{ apId: string }>(
      this.#postgres,
      {
        name: 'commands pending since',
        table: 'commands',
        columns: 'ap_id as "apId"',
        where: "state in ('queued', 'sent')",
      },
      horizon,
    )
    return { apIds: rows.map(({ apId }) => apId), ...next }
  }
}
