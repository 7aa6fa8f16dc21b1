import type { JobState } from '@manc/contract'
import { changesSince } from '../../engines/postgres.horizon.ts'
import { type Postgres, sql, type Tx } from '../../engines/postgres.ts'

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
}

/** What has become of a command. */
export interface Change {
  jobNumber: string
  state: JobState
  /** JSON text of what the agent answered. */
  result?: string | undefined
  detail?: string | undefined
}

/** One agent's share of a command to many. */
export interface Part {
  jobNumber: string
  apId: string
  state: JobState
  /** JSON text. */
  result: string | null
  detail: string | null
}

export interface NewPart {
  jobNumber: string
  apId: string
  /** Why this agent gets none. */
  skipped: string | undefined
}

const ends: readonly JobState[] = ['succeeded', 'failed', 'timed_out', 'expired', 'superseded', 'skipped']
/** States from which each can be reached: late news change nothing. */
const before: Partial<Record<JobState, readonly JobState[]>> = {
  queued: ['sent'],
  sent: ['queued'],
  delivered: ['queued', 'sent'],
  succeeded: ['queued', 'sent', 'delivered'],
  failed: ['queued', 'sent', 'delivered'],
  timed_out: ['queued', 'sent', 'delivered'],
  expired: ['queued'],
  superseded: ['queued', 'sent'],
}

const columns = sql`job_number as "jobNumber", ap_id as "apId", command, expires_at as "expiresAt"`

export class CommandStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async insert(tx: Tx, { jobNumber, apId, owner, command, livesForS }: NewCommand): Promise<void> {
    await sql`
      insert into commands (job_number, ap_id, owner, command, expires_at)
      values (${jobNumber}, ${apId}, ${owner}, ${command}, now() + make_interval(secs => ${livesForS}))
    `.execute(tx)
  }

  /** Those of these agents that somebody else holds, with the seconds that are left. */
  async holds(tx: Tx, apIds: string[], holder: string): Promise<{ apId: string; leftS: number }[]> {
    const { rows } = await sql<{ apId: string; leftS: number }>`
      select ap_id as "apId", extract(epoch from until - now())::float8 as "leftS" from command_holds
      where ap_id = any(${apIds}) and until > now() and holder <> ${holder}
      order by ap_id for update
    `.execute(tx)
    return rows
  }

  /** The agents that are this holder's from now on: of two who want the same, the row decides. */
  async hold(
    tx: Tx,
    apIds: string[],
    {
      holder,
      priority,
      isPerson,
      forS,
    }: { holder: string; priority: number; isPerson: boolean; forS: number },
  ): Promise<string[]> {
    const { rows } = await sql<{ apId: string }>`
      insert into command_holds as known (ap_id, holder, priority, until)
      select ap_id, ${holder}::uuid, ${priority}::int, now() + make_interval(secs => ${forS})
      from unnest(${apIds}::text[]) as wanted (ap_id) order by ap_id
      on conflict (ap_id) do update set
        holder = excluded.holder, priority = excluded.priority, until = excluded.until
      where known.until <= now() or known.holder = excluded.holder or known.priority < excluded.priority or ${isPerson}
      returning ap_id as "apId"
    `.execute(tx)
    return rows.map(({ apId }) => apId)
  }

  /** Commands of other apps that were not yet delivered. */
  async losers(tx: Tx, apIds: string[], holder: string): Promise<string[]> {
    const { rows } = await sql<{ jobNumber: string }>`
      select commands.job_number as "jobNumber" from commands
      join third_party_apps on third_party_apps.id = commands.owner
      where commands.ap_id = any(${apIds}) and commands.state in ('queued', 'sent') and commands.owner <> ${holder}
    `.execute(tx)
    return rows.map(({ jobNumber }) => jobNumber)
  }

  /** New states with their messages to those who wait for them, in one statement. Answers the jobs that have changed. */
  async change(changes: Change[], dueInS: number, tx?: Tx): Promise<string[]> {
    const fitting = changes.flatMap((change) =>
      (before[change.state] ?? []).map((from) => ({ ...change, from })),
    )
    const { rows } = await sql<{ jobNumber: string }>`
      with changed as (
        update commands set
          state = news.state, was_sent = was_sent or news.state = 'sent',
          due_at = now() + make_interval(secs => ${dueInS}), transaction_id = pg_current_xact_id(),
          result = news.result, detail = news.detail
        from unnest(
          ${fitting.map(({ jobNumber }) => jobNumber)}::text[], ${fitting.map(({ from }) => from)}::text[],
          ${fitting.map(({ state }) => state)}::text[], ${fitting.map(({ result }) => result ?? null)}::text[],
          ${fitting.map(({ detail }) => detail ?? null)}::text[]) as news (job_number, from_state, state, result, detail)
        where commands.job_number = news.job_number and commands.state = news.from_state
        returning commands.job_number, commands.ap_id, commands.command, news.state, news.result, news.detail
      ), letters as (
        select job_number, state, detail, state = any(${[...ends]}::text[]) as final,
          json_build_object('job_number', job_number, 'agent_id', ap_id, 'command', command, 'state', state,
            'result', result::json, 'detail', detail)::text as data
        from changed
      ), job as (
        update jobs set
          state = letters.state, detail = letters.detail, last_seq = last_seq + 1,
          waiting_bytes = waiting_bytes + octet_length(letters.data),
          ended_at = case when letters.final then now() end
        from letters where jobs.job_number = letters.job_number
        returning jobs.job_number, jobs.last_seq, letters.final, letters.data
      ), letter as (
        insert into mailbox (job_number, seq, type, final, data, bytes)
        select job_number, last_seq, case when final then 'result' else 'state' end, final,
          case when final then '[' || data || ']' else data end, octet_length(data) from job
      )
      select job_number as "jobNumber" from job
    `.execute(tx ?? this.#postgres.db)
    return rows.map(({ jobNumber }) => jobNumber)
  }

  /** A job for each agent. Those that are skipped have ended already. */
  async insertParts(
    tx: Tx,
    { parent, owner, command }: { parent: string; owner: string; command: string },
    parts: NewPart[],
    livesForS: number,
  ): Promise<void> {
    await sql`
      with part as (
        select * from unnest(
          ${parts.map(({ jobNumber }) => jobNumber)}::text[], ${parts.map(({ apId }) => apId)}::text[],
          ${parts.map(({ skipped }) => skipped ?? null)}::text[]) as part (job_number, ap_id, skipped)
      ), job as (
        insert into jobs (job_number, kind, owner, state, detail, request, published, ends_by, ended_at, parent)
        select job_number, 'send_command', ${owner}::uuid, case when skipped is null then 'queued' else 'skipped' end,
          skipped, json_build_object('agent_id', ap_id, 'command', ${command}::text), true,
          now() + make_interval(secs => ${livesForS}), case when skipped is not null then now() end, ${parent}
        from part
      )
      insert into commands (job_number, ap_id, owner, command, state, detail, expires_at, parent)
      select job_number, ap_id, ${owner}::uuid, ${command}, case when skipped is null then 'queued' else 'skipped' end,
        skipped, now() + make_interval(secs => ${livesForS}), ${parent}
      from part
    `.execute(tx)
  }

  async countParts(parent: string): Promise<{ agents: number; skipped: number }> {
    const { rows } = await sql<{ agents: number; skipped: number }>`
      select count(*) filter (where state <> 'skipped')::int as agents,
        count(*) filter (where state = 'skipped')::int as skipped
      from commands where parent = ${parent}
    `.execute(this.#postgres.db)
    return rows[0] ?? { agents: 0, skipped: 0 }
  }

  /** In the order of the agents' ids. */
  async parts(parent: string, after: string, most: number): Promise<Part[]> {
    const { rows } = await sql<Part>`
      select job_number as "jobNumber", ap_id as "apId", state, result, detail from commands
      where parent = ${parent} and ap_id > ${after} order by ap_id limit ${most}
    `.execute(this.#postgres.db)
    return rows
  }

  /**
   * A message with the counts for every job with parts whose counts have changed. Where no part is left under way, the
   * job is handed to whoever puts the result together. Answers the jobs that got a message.
   */
  async tellProgress(): Promise<string[]> {
    const { rows } = await sql<{ jobNumber: string }>`
      with counted as (
        select jobs.job_number, json_object_agg(part.state, part.count order by part.state) as progress,
          bool_and(part.state = any(${[...ends]}::text[])) as over
        from jobs, lateral (
          select state, count(*) as count from commands where commands.parent = jobs.job_number group by state) as part
        where jobs.kind = 'send_commands' and jobs.state = 'open'
        group by jobs.job_number
      ), job as (
        update jobs set progress = counted.progress, last_seq = last_seq + 1,
          state = case when counted.over then 'queued' else jobs.state end,
          -- Nobody is told of it: a moment ago means that the next look finds it.
          work_after = now() - interval '2 s',
          ends_by = greatest(ends_by, now() + interval '15 min')
        from counted
        where jobs.job_number = counted.job_number and jobs.state = 'open'
          and counted.progress::text is distinct from jobs.progress::text
        returning jobs.job_number, jobs.last_seq, jobs.progress
      ), letter as (
        insert into mailbox (job_number, seq, type, final, data, bytes)
        select job_number, last_seq, 'state', false,
          json_build_object('state', 'open', 'progress', progress)::text, 0 from job
      )
      select job_number as "jobNumber" from job
    `.execute(this.#postgres.db)
    return rows.map(({ jobNumber }) => jobNumber)
  }

  /** Of one agent, what it has not taken yet and may still carry out. */
  async waitingFor(apId: string): Promise<Command[]> {
    const { rows } = await sql<Command>`
      select ${columns} from commands
      where ap_id = ${apId} and state in ('queued', 'sent') and expires_at > now()
      order by job_number limit 100
    `.execute(this.#postgres.db)
    return rows
  }

  /** Whose commands these are. */
  async agentsOf(jobNumbers: string[]): Promise<Map<string, string>> {
    const { rows } = await sql<{ jobNumber: string; apId: string }>`
      select job_number as "jobNumber", ap_id as "apId" from commands where job_number = any(${jobNumbers})
    `.execute(this.#postgres.db)
    return new Map(rows.map(({ jobNumber, apId }) => [jobNumber, apId]))
  }

  /** Nobody's time is up before the grace is over. */
  async rearm(graceS: number): Promise<void> {
    await sql`
      update commands set due_at = now() + make_interval(secs => ${graceS})
      where state in ('sent', 'delivered') and due_at < now() + make_interval(secs => ${graceS})
    `.execute(this.#postgres.db)
  }

  /** Whose turn it is: taken here for a while, so that no two do the same. */
  async due(
    most: number,
    againInS: number,
  ): Promise<(Command & { state: JobState; wasSent: boolean; isOver: boolean })[]> {
    const { rows } = await sql<Command & { state: JobState; wasSent: boolean; isOver: boolean }>`
      update commands set due_at = now() + make_interval(secs => ${againInS})
      where job_number in (
        select job_number from commands
        where state in ('queued', 'sent', 'delivered') and due_at <= now() order by due_at limit ${most}
        for update skip locked)
      returning ${columns}, state, was_sent as "wasSent", expires_at <= now() as "isOver"
    `.execute(this.#postgres.db)
    return rows
  }

  /** Agents for which something waits, of those that changed since the horizon. */
  async news(horizon: string): Promise<{ apIds: string[]; horizon: string }> {
    const { rows, ...next } = await changesSince<{ apId: string }>(
      this.#postgres,
      {
        name: 'commands news',
        table: 'commands',
        columns: 'ap_id as "apId"',
        where: "state in ('queued', 'sent')",
      },
      horizon,
    )
    return { apIds: rows.map(({ apId }) => apId), ...next }
  }
}
