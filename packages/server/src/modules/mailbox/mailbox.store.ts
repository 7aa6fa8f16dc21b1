import { changesSince, type Horizon, lastHorizon } from '../../engines/postgres.horizon.ts'
import { type Postgres, sql } from '../../engines/postgres.ts'
import type { StoredMessage } from './mailbox.types.ts'

type Sql = ReturnType<typeof sql>

interface PageSize {
  limit: number
  maxBytes: number
}

/**
 * The messages of all jobs. A message gets its sequence number from its job's row, in the same statement: the jobs module
 * composes that statement with the fragments below.
 */
export class MailboxStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** The messages committed since the horizon, and the horizon for the next poll. */
  async postedSince(
    horizon = lastHorizon,
  ): Promise<{ posted: { jobNumber: string; seq: number }[]; horizon: Horizon }> {
    const { rows: posted, ...next } = await changesSince<{ jobNumber: string; seq: number }>(
      this.#postgres,
      {
        name: 'mailbox posted since',
        table: 'mailbox',
        columns: 'job_number as "jobNumber", seq::float8 as seq',
      },
      horizon,
    )
    return { posted, ...next }
  }

  /** The messages of a job after `seq`, delivered or not: at most `limit`, and those that begin within `maxBytes`. */
  async page(jobNumber: string, seq: number, { limit, maxBytes }: PageSize): Promise<StoredMessage[]> {
    const { rows } = await sql<StoredMessage>`
      select seq::float8 as seq, type, final, created_at as "at", is_delivered as "isDelivered", data from (
        select *, sum(size) over (order by seq) - size as bytes_before from (
          select seq, type, final, created_at, data is null as is_delivered, coalesce(data, kept) as data,
            coalesce(octet_length(data), octet_length(kept), 0) as size
          from mailbox where job_number = ${jobNumber} and seq > ${seq} order by seq limit ${limit}
        ) as message
      ) as counted
      where bytes_before <= ${maxBytes} order by seq
    `.execute(this.#postgres.db)
    return rows
  }

  /** Expired rows of the default partition, at most `max`. Returns how many. */
  async deleteOther(keepS: number, max: number): Promise<number> {
    const { numAffectedRows = 0n } = await sql`
      delete from mailbox_other where ctid = any(array(
        select ctid from mailbox_other where created_at < now() - make_interval(secs => ${keepS}) limit ${max}))
    `.execute(this.#postgres.db)
    return Number(numAffectedRows)
  }
}

/** Statement. `rows` selects job_number, seq, type, final, data, bytes and post_key, in this order. */
export const insertMessages = (rows: Sql) =>
  sql`insert into mailbox (job_number, seq, type, final, data, bytes, post_key) ${rows}`

/** Query: the size of the messages up to `seq` that are not delivered, as `bytes`. */
export const pendingBytes = (jobNumber: string, seq: number) => sql`
  select coalesce(sum(octet_length(data)), 0) as bytes from mailbox
  where job_number = ${jobNumber} and seq <= ${seq} and data is not null
`

/**
 * Statement: messages up to `seq` are delivered. Their numbers and keys stay; their data is moved, where it is kept to be
 * read again, and else deleted. Returns the bytes of each, and those kept.
 */
export const discardMessages = (jobNumber: string, seq: number, isKept: Sql) => sql`
  update mailbox set kept = case when ${isKept} then data end, data = null
  where job_number = ${jobNumber} and seq <= ${seq} and data is not null
  returning bytes, coalesce(octet_length(kept), 0) as kept_bytes
`

/** Statement. `jobs` selects job numbers. */
export const dropKept = (jobs: Sql) =>
  sql`update mailbox set kept = null where job_number in (${jobs}) and kept is not null`

/** Condition. */
export const hasMessageWithKey = (jobNumber: string, key: string) =>
  sql`exists (select from mailbox where job_number = ${jobNumber} and post_key = ${key})`
