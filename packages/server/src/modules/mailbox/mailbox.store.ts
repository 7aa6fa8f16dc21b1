import { changesSince, type Horizon, lastHorizon } from '../../engines/postgres.horizon.ts'
import { type Postgres, sql } from '../../engines/postgres.ts'

type Sql = ReturnType<typeof sql>

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

/** Statement: deletes the data of messages up to `seq`; their numbers and keys stay. Returns the bytes of each. */
export const discardMessages = (jobNumber: string, seq: number) => sql`
  update mailbox set data = null where job_number = ${jobNumber} and seq <= ${seq} and data is not null
  returning bytes
`

/** Condition. */
export const hasMessageWithKey = (jobNumber: string, key: string) =>
  sql`exists (select from mailbox where job_number = ${jobNumber} and post_key = ${key})`
