import type { JobKind } from '@manc/contract'
import { type Postgres, sql } from '../../engines/postgres.ts'
import { discardMessages, dropKept, type MailboxMessage, pendingBytes } from '../mailbox/index.ts'

export interface Attachment {
  jobNumber: string
  /** The job must belong to this caller; undefined: any job. */
  owner: string | undefined
  reader: string
}

export interface Attached {
  kind: JobKind
  /** JSON text. */
  request: string
  hadReader: boolean
  /** The number of the last message, if the job has ended. */
  endedAtSeq: number | null
  /** Whether it has ended without a result. */
  hasFailed: boolean
  /** Whether its worker waited for a reader, and can continue. */
  isContinued: boolean
}

/** Limits for delivered results that are kept, to be read again. */
export interface KeptLimits {
  /** Of one owner; at most as many as its undelivered results may have. */
  bytes: number
  /** Of one owner. */
  jobs: number
}

export interface Acknowledged {
  /** The worker waited for that and can continue. */
  isContinued: boolean
  /** More is kept for the owner than may be. */
  hasTooManyKept: boolean
  owner: string
}

interface Acknowledgement {
  jobNumber: string
  seq: number
  /** The worker continues when at most this much is unread. */
  continuesBelowBytes: number
  /** Undefined: nothing is kept. */
  keeps: KeptLimits | undefined
}

/** Of the number of jobs whose results are kept: what is left when the oldest are dropped, so that this is rare. */
const leftWhenDropped = 0.75

/** Condition: the worker has stopped because results were not read. */
const isWaiting = sql`(reader_waits > 0 and lease is null and state = 'running')`

/** A job has one reader: the connection that its row names. */
export class ReaderStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * Makes this connection the reader, and lets a worker that waited for one continue. A job without a defined end that was
   * ended because it had no reader is reopened. Undefined if the owner has no such job.
   */
  async attach({ jobNumber, owner, reader }: Attachment, replica: string): Promise<Attached | undefined> {
    const isReopened = sql`kind in ('agent_live', 'mailbox')`
    const { rows } = await sql<Attached>`
      with before as (select job_number, reader from jobs where job_number = ${jobNumber} for update)
      update jobs set reader = ${reader}, read_by = ${replica},
        state = case when ${isReopened} then 'open' else state end,
        ended_at = case when ${isReopened} then null else ended_at end,
        work_after = case when ${isWaiting} then now() else work_after end
      from before
      where jobs.job_number = before.job_number ${owner === undefined ? sql`` : sql`and jobs.owner = ${owner}`}
      returning jobs.kind, jobs.request, before.reader is not null as "hadReader",
        case when jobs.ended_at is not null then jobs.last_seq::float8 end as "endedAtSeq",
        jobs.state = 'failed' and jobs.kind <> 'send_command' as "hasFailed", ${isWaiting} as "isContinued"
    `.execute(this.#postgres.db)
    return rows[0]
  }

  async detach(jobNumber: string, reader: string): Promise<void> {
    await sql`
      update jobs set reader = null, read_by = null where job_number = ${jobNumber} and reader = ${reader}
    `.execute(this.#postgres.db)
  }

  /** The messages after `seq` in order; undefined if another connection has become the reader. */
  async read(
    jobNumber: string,
    reader: string,
    seq: number,
    limit: number,
  ): Promise<MailboxMessage[] | undefined> {
    const rows = await this.#postgres.read<{ reader: string | null } & MailboxMessage>(
      'messages of a job',
      `select jobs.reader, mailbox.seq::float8 as seq, mailbox.type, mailbox.final, mailbox.data from jobs
       left join mailbox on mailbox.job_number = jobs.job_number and mailbox.seq > $2 and mailbox.data is not null
       where jobs.job_number = $1 order by mailbox.seq limit $3`,
      [jobNumber, seq, limit],
    )
    if (rows[0]?.reader !== reader) return undefined
    return rows.filter((row) => row.seq !== null)
  }

  /**
   * Messages up to `seq` were delivered. What they contain is kept, if the job has space. Results of commands are kept
   * without being counted: they are small, and those that are never delivered do not count either.
   */
  async acknowledge({
    jobNumber,
    seq,
    continuesBelowBytes,
    keeps,
  }: Acknowledgement): Promise<Acknowledged | undefined> {
    const maxBytes = keeps && sql`least(${keeps.bytes}, coalesce(jobs.owner_unread_limit, ${keeps.bytes}))`
    const isKept = keeps
      ? sql`(select jobs.kind = 'send_command' or jobs.kept_bytes + pending.bytes <= ${maxBytes} from jobs, pending
          where jobs.job_number = ${jobNumber})`
      : sql`false`
    const { rows } = await sql<Acknowledged>`
      with pending as (${pendingBytes(jobNumber, seq)}),
      discarded as (${discardMessages(jobNumber, seq, isKept)}),
      read as (select coalesce(sum(bytes), 0) as bytes, coalesce(sum(kept_bytes), 0) as kept from discarded)
      update jobs set read_seq = greatest(read_seq, least(${seq}, last_seq)),
        waiting_bytes = waiting_bytes - read.bytes,
        kept_bytes = case when kind = 'send_command' then 0 else kept_bytes + read.kept end,
        work_after = case
          when ${isWaiting} and waiting_bytes - read.bytes <= ${continuesBelowBytes} then now() else work_after end
      from read where job_number = ${jobNumber}
      returning ${isWaiting} and waiting_bytes <= ${continuesBelowBytes} as "isContinued", owner,
        ${keeps ? this.#hasTooManyKept(keeps) : sql`false`} as "hasTooManyKept"
    `.execute(this.#postgres.db)
    return rows[0]
  }

  /** Condition on the job that is acknowledged. Its own new bytes are not yet visible in the table. */
  #hasTooManyKept({ bytes, jobs }: KeptLimits) {
    return sql`(read.kept > 0 and kind <> 'send_command' and (
      select count(*) >= ${jobs} or coalesce(sum(kept_bytes), 0) + read.kept > least(${bytes}, coalesce(jobs.owner_unread_limit, ${bytes}))
      from (
        select kept_bytes from jobs as other where other.owner = jobs.owner and other.kept_bytes > 0
        order by created_at desc, job_number desc limit ${jobs}
      ) as newest))`
  }

  /** Drops the kept results of the oldest jobs of an owner. Jobs that are acknowledged meanwhile are left for the next time. */
  async dropOldest(owner: string, { bytes, jobs }: KeptLimits): Promise<number> {
    const { rows } = await sql<{ dropped: number }>`
      with newest as (
        select job_number, row_number() over latest as position, sum(kept_bytes) over latest as bytes,
          least(${bytes}, coalesce(owner_unread_limit, ${bytes})) as max_bytes
        from jobs where owner = ${owner} and kept_bytes > 0
        window latest as (order by created_at desc, job_number desc)
      ), old as (
        select job_number from jobs where job_number = any(array(
          select job_number from newest where position > ${Math.ceil(jobs * leftWhenDropped)} or bytes > max_bytes))
        for update skip locked
      ), emptied as (
        update jobs set kept_bytes = 0 where job_number in (select job_number from old) returning job_number
      ), dropped as (${dropKept(sql`select job_number from emptied`)})
      select count(*)::int as dropped from emptied
    `.execute(this.#postgres.db)
    return rows[0]?.dropped ?? 0
  }
}
