import type { JobKind } from '@manc/contract'
import { type Postgres, sql } from '../../engines/postgres.ts'
import { discardMessages, type MailboxMessage } from '../mailbox/index.ts'

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
   * Messages up to `seq` were delivered. Returns whether the worker waited for that and can continue, as at most
   * `continuesBelowBytes` are unread.
   */
  async acknowledge(jobNumber: string, seq: number, continuesBelowBytes: number): Promise<boolean> {
    const { rows } = await sql<{ isContinued: boolean }>`
      with discarded as (${discardMessages(jobNumber, seq)}),
      read as (select coalesce(sum(bytes), 0) as bytes from discarded)
      update jobs set read_seq = greatest(read_seq, least(${seq}, last_seq)),
        waiting_bytes = waiting_bytes - read.bytes,
        work_after = case
          when ${isWaiting} and waiting_bytes - read.bytes <= ${continuesBelowBytes} then now() else work_after end
      from read where job_number = ${jobNumber}
      returning ${isWaiting} and waiting_bytes <= ${continuesBelowBytes} as "isContinued"
    `.execute(this.#postgres.db)
    return rows[0]?.isContinued ?? false
  }
}
