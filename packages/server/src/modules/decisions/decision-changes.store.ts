import type { DecisionState, JobState, MeasuredEffect } from '@manc/contract'
import { isNextDue } from '../../engines/postgres.lease.ts'
import { type Executor, type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import type { Verdict } from '../commands/index.ts'
import type { DueDecision, NewDecision } from './decisions.types.ts'

/** Samples of the time of the measurement may still be on their way. */
const graceS = 3
/** For one measurement, and for another process to take it over after a crash. */
const leaseS = 30
/** More than one insert adds, so that an owner whose limit was lowered gets below it. */
const deletedAtOnce = 100
/** Of the answer of an access point. */
const maxResultLength = 2000

interface EndedCommand {
  jobNumber: string
  state: JobState
  detail: string | null
  /** JSON text. */
  result: string | null
}

interface Usage {
  lastSeq: number
  open: number
  /** Of the last hour. */
  lately: number
  /** Until the first of them is an hour old. */
  freeInS: number
}

/** The only writer of the tables `decisions`, `decision_agents` and `decision_commands`. */
export class DecisionChangeStore {
  readonly #postgres: Postgres
  readonly #measureAfterS: number

  constructor(postgres: Postgres, measureAfterS: number) {
    this.#postgres = postgres
    this.#measureAfterS = measureAfterS
  }

  /** Requests of one owner that create decisions wait for each other from here on: limits and keys are exact. */
  async lockOwner(tx: Tx, owner: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended('decisions ' || ${owner}, 0))`.execute(tx)
  }

  /** Numbers are without gaps, so that nothing has to be counted but open proposals. */
  async usage(tx: Tx, owner: string): Promise<Usage> {
    const { rows } = await sql<Usage>`
      select coalesce(last.owner_seq, 0)::float8 as "lastSeq",
        (select count(*)::int from decisions where owner = ${owner}::uuid and state = 'proposed') as open,
        coalesce(last.owner_seq - first.owner_seq + 1, 0)::float8 as lately,
        coalesce(extract(epoch from first.created_at + interval '1 hour' - now()), 0)::float8 as "freeInS"
      from (select) as always
      left join lateral (
        select owner_seq from decisions where owner = ${owner}::uuid order by owner_seq desc limit 1) as last on true
      left join lateral (
        select owner_seq, created_at from decisions
        where owner = ${owner}::uuid and created_at > now() - interval '1 hour'
        -- Of concurrent ones several may have the same time.
        order by created_at, owner_seq limit 1) as first on true
    `.execute(tx)
    return rows[0] ?? { lastSeq: 0, open: 0, lately: 0, freeInS: 0 }
  }

  async insert(
    tx: Tx,
    decision: NewDecision,
    { state, ownerSeq, apIds }: { state: DecisionState; ownerSeq: number; apIds: readonly string[] },
  ): Promise<void> {
    const { key } = decision
    // A key may be used again after 24 hours.
    if (key !== undefined)
      await sql`
        update decisions set request_key = null where owner = ${decision.owner}::uuid and request_key = ${key}
      `.execute(tx)
    const isProposal = state === 'proposed'
    const isMeasured = state === 'recorded'
    const measureAt = sql<Date | null>`case when ${isMeasured} then now() + make_interval(secs => ${this.#measureAfterS}) end`
    const expiresAt = sql<Date | null>`case when ${isProposal} then now() + make_interval(secs => ${decision.expiresInS}) end`
    await tx
      .insertInto('decisions')
      .values({
        id: decision.id,
        owner: decision.owner,
        owner_kind: decision.ownerKind,
        owner_name: decision.ownerName,
        owner_seq: ownerSeq,
        request_key: key ?? null,
        policy: decision.policy,
        mode: decision.mode,
        state,
        reason: decision.reason,
        client: decision.client,
        observed: JSON.stringify(decision.observed),
        expected: JSON.stringify(decision.expected),
        reverts: decision.reverts,
        expires_at: expiresAt,
        measure_at: measureAt,
        // Not before the one with the previous number, whose transaction may have begun later: `usage` relies on it.
        created_at: sql`greatest(now(), (
          select max(created_at) from decisions where owner = ${decision.owner}::uuid))`,
        due_at: sql`coalesce(${expiresAt}, ${measureAt} + make_interval(secs => ${graceS}))`,
      })
      .execute()
    await sql`
      insert into decision_agents (ap_id, decision_id) select ap_id, ${decision.id}::uuid
      from unnest(${[...apIds]}::text[]) as named (ap_id)
    `.execute(tx)
    await sql`
      insert into decision_commands (decision_id, n, ap_id, command, client)
      select ${decision.id}::uuid, n, ap_id, command, client
      from unnest(${decision.commands.map(({ apId }) => apId)}::text[],
        ${decision.commands.map(({ command }) => command)}::text[],
        ${decision.commands.map(({ client }) => client)}::text[]) with ordinality as new (ap_id, command, client, n)
    `.execute(tx)
  }

  /** Of an owner: all but the last `kept`. */
  async deleteOldest(tx: Tx, owner: string, lastSeq: number, kept: number): Promise<void> {
    await sql`
      delete from decisions where id = any(array(
        select id from decisions where owner = ${owner}::uuid and owner_seq <= ${lastSeq - kept}
        order by owner_seq limit ${deletedAtOnce}))
    `.execute(tx)
  }

  /** In the order of the commands. */
  async setVerdicts(tx: Executor, id: string, verdicts: readonly Verdict[]): Promise<void> {
    const column = <Name extends keyof Verdict>(name: Name) => verdicts.map((each) => each[name])
    await sql`
      update decision_commands as c set verdict = news.verdict, detail = news.detail, job_number = news.job_number
      from unnest(${column('verdict')}::text[], ${column('detail')}::text[], ${column('jobNumber')}::text[])
        with ordinality as news (verdict, detail, job_number, n)
      where c.decision_id = ${id}::uuid and c.n = news.n
    `.execute(tx)
  }

  /** Its commands are sent now. */
  async setExecuted(tx: Tx, id: string, jobNumber: string, decidedBy: string | null): Promise<void> {
    const measureAt = sql`now() + make_interval(secs => ${this.#measureAfterS})`
    await sql`
      update decisions set state = 'executed', job_number = ${jobNumber}, executed_at = now(),
        decided_by = ${decidedBy}, decided_at = case when ${decidedBy}::text is null then null else now() end,
        measure_at = ${measureAt}, due_at = ${measureAt} + make_interval(secs => ${graceS})
      where id = ${id}::uuid
    `.execute(tx)
  }

  async setRefused(tx: Tx, id: string): Promise<void> {
    await sql`update decisions set state = 'refused', due_at = null where id = ${id}::uuid`.execute(tx)
  }

  async setRejected(tx: Tx, id: string, decidedBy: string): Promise<void> {
    await sql`
      update decisions set state = 'rejected', decided_by = ${decidedBy}, decided_at = now(), due_at = null
      where id = ${id}::uuid
    `.execute(tx)
  }

  /** Keeps the time of its measurement. */
  async setReverted(tx: Tx, id: string, by: string): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update decisions set state = 'reverted', reverted_by = ${by}::uuid
      where id = ${id}::uuid and state in ('executed', 'measured')
    `.execute(tx)
    return numAffectedRows > 0n
  }

  /** Locked, with whether it can still be confirmed. */
  async lock(
    tx: Tx,
    id: string,
  ): Promise<{ state: DecisionState; decidedBy: string | null; isOpen: boolean } | undefined> {
    const { rows } = await sql<{ state: DecisionState; decidedBy: string | null; isOpen: boolean }>`
      select state, decided_by as "decidedBy", state = 'proposed' and expires_at > now() as "isOpen"
      from decisions where id = ${id}::uuid for update
    `.execute(tx)
    return rows[0]
  }

  /** Leases decisions that are due. Concurrent callers take different ones. */
  async takeDue(limit: number): Promise<DueDecision[]> {
    const { rows } = await sql<DueDecision>`
      update decisions set due_at = now() + make_interval(secs => ${leaseS})
      where ${isNextDue({ table: 'decisions', key: 'id', dueAt: 'due_at', limit })}
      returning id, state, coalesce(executed_at, created_at) as "startedAt", measure_at as "measureAt", expected
    `.execute(this.#postgres.db)
    return rows
  }

  /** False if it is no open proposal any more. */
  async setExpired(tx: Tx, id: string): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update decisions set state = 'expired', due_at = null
      where id = ${id}::uuid and state = 'proposed' and expires_at <= now()
    `.execute(tx)
    return numAffectedRows > 0n
  }

  /** False if another process has measured it. One that was reverted meanwhile stays so. */
  async setMeasured(tx: Tx, id: string, measured: readonly MeasuredEffect[]): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      update decisions set measured = ${JSON.stringify(measured)}::jsonb, measured_at = now(), due_at = null,
        state = case when state = 'reverted' then state else 'measured' end
      where id = ${id}::uuid and measured_at is null and measure_at is not null
    `.execute(tx)
    return numAffectedRows > 0n
  }

  /** The outcomes of commands; those that belong to no decision are ignored. */
  async setOutcomes(tx: Tx, ended: readonly EndedCommand[]): Promise<void> {
    const column = <Name extends keyof EndedCommand>(name: Name) => ended.map((each) => each[name])
    await sql`
      update decision_commands as c
      set state = news.state, detail = coalesce(news.detail, c.detail), ended_at = now(),
        result = case when length(news.result) <= ${maxResultLength} then news.result end
      from unnest(${column('jobNumber')}::text[], ${column('state')}::text[], ${column('detail')}::text[],
        ${column('result')}::text[]) as news (job_number, state, detail, result)
      where c.job_number = news.job_number
    `.execute(tx)
  }

  /** At most `max` old ones. */
  async deleteOld(keepDays: number, max: number): Promise<void> {
    await sql`
      delete from decisions where id = any(array(
        select id from decisions where created_at < now() - make_interval(days => ${keepDays})
        order by created_at limit ${max}))
    `.execute(this.#postgres.db)
  }
}
