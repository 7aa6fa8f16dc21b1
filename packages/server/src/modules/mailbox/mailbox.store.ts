import type { JobKind } from '@manc/contract'
import { changesSince, lastHorizon } from '../../engines/postgres.horizon.ts'
import { type Postgres, sql } from '../../engines/postgres.ts'

export interface Letter {
  seq: number
  /** What was posted, or how the job ended. */
  type: 'result' | 'state'
  final: boolean
  /** JSON text. */
  data: string
}

export interface Post {
  jobNumber: string
  /** JSON text of an array. */
  data: string
  final: boolean
  /** A repeated post with the same key changes nothing. */
  key: string | undefined
  /** Only for a job that is this caller's; undefined: for any. */
  owner: string | undefined
  /** Of the one who works on the job: the lease that it must still have, and how far the answer has got with this. */
  work: { lease: string; cursor: string; leaseForS: number } | undefined
  /** What may wait for a reader at once. One message is always taken. */
  mostWaitingBytes: number
}

export interface Posted {
  seq: number
  hasReader: boolean
}

export interface Attachment {
  jobNumber: string
  /** Only where the job is this caller's; undefined: any. */
  owner: string | undefined
  reader: string
}

export interface Attached {
  kind: JobKind
  /** JSON text. */
  request: string
  hadReader: boolean
  /** Its last message, where it has ended. */
  endedAtSeq: number | null
}

/** How a post went that changed nothing. */
export interface Unchanged {
  exists: boolean
  isOwn: boolean
  isRepeated: boolean
  isFull: boolean
  hasReader: boolean
}

const hoursAPartition = 6
/**
 * Of a job, on its own row: who has waited for that row is checked against it as it is by then, and against other tables as
 * they were before. The same post, sent twice at once, is found here and not in the mailbox.
 */
const mostRecentKeys = 16

export class MailboxStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** The message, its number and the state of its job in one statement; undefined where that was not to be. */
  async put(post: Post): Promise<Posted | undefined> {
    const bytes = Buffer.byteLength(post.data)
    const { work } = post
    const { rows } = await sql<Posted>`
      with job as (
        update jobs set
          last_seq = last_seq + 1, waiting_bytes = waiting_bytes + ${bytes},
          state = case when ${post.final} then 'succeeded' else state end,
          ended_at = case when ${post.final} then now() else ended_at end
          ${post.key === undefined ? sql`` : sql`, recent_keys = (array_prepend(${post.key}::text, recent_keys))[1:${sql.lit(mostRecentKeys)}]`}
          ${work ? sql`, cursor = ${work.cursor}, attempts = 0, work_after = now() + make_interval(secs => ${work.leaseForS})` : sql``}
        where job_number = ${post.jobNumber}
          and (waiting_bytes = 0 or waiting_bytes + ${bytes} <= ${post.mostWaitingBytes})
          ${work ? sql`and lease = ${work.lease} and state = 'running'` : sql``}
          ${post.owner === undefined ? sql`` : sql`and owner = ${post.owner}`}
          ${post.key === undefined ? sql`` : sql`and not ${isPosted(post.jobNumber, post.key)} and ${post.key}::text <> all(recent_keys)`}
        returning job_number, last_seq, read_by
      ), letter as (
        insert into mailbox (job_number, seq, final, data, bytes, post_key)
        select job_number, last_seq, ${post.final}, ${post.data}, ${bytes}, ${post.key ?? null} from job
      )
      select last_seq::float8 as seq, ${isAlive(sql`read_by`)} as "hasReader" from job
    `.execute(this.#postgres.db)
    return rows[0]
  }

  async whyUnchanged(post: Post): Promise<Unchanged> {
    const { rows } = await sql<Unchanged>`
      select true as exists,
        ${post.owner === undefined ? sql`true` : sql`owner = ${post.owner}`} as "isOwn",
        ${post.key === undefined ? sql`false` : isPosted(post.jobNumber, post.key)} as "isRepeated",
        waiting_bytes > 0 and waiting_bytes + ${Buffer.byteLength(post.data)} > ${post.mostWaitingBytes} as "isFull",
        ${isAlive(sql`read_by`)} as "hasReader"
      from jobs where job_number = ${post.jobNumber}
    `.execute(this.#postgres.db)
    return rows[0] ?? { exists: false, isOwn: false, isRepeated: false, isFull: false, hasReader: false }
  }

  /** Bytes of this owner that nobody has read yet. */
  async waitingOf(owner: string): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(waiting_bytes), 0)::float8 as bytes from jobs where owner = ${owner}
    `.execute(this.#postgres.db)
    return rows[0]?.bytes ?? 0
  }

  /** A mailbox for a number that is not in use. */
  async open(jobNumber: string, owner: string, keepS: number): Promise<void> {
    await sql`
      insert into jobs (job_number, kind, owner, state, request, published, ends_by)
      values (${jobNumber}, 'mailbox', ${owner}, 'open', '{}', true, now() + make_interval(secs => ${keepS}))
      on conflict (job_number) do nothing
    `.execute(this.#postgres.db)
  }

  /** The last word on a job, with the message that tells its reader. */
  async end(jobNumber: string, state: 'succeeded' | 'failed', detail: string | null): Promise<void> {
    await sql`
      with job as (
        update jobs set last_seq = last_seq + 1, state = ${state}, detail = ${detail}, ended_at = now()
        where job_number = ${jobNumber} and state in ('queued', 'running')
        returning job_number, last_seq
      )
      insert into mailbox (job_number, seq, type, final, data, bytes)
      select job_number, last_seq, 'state', true, ${JSON.stringify({ state, detail })}, 0 from job
    `.execute(this.#postgres.db)
  }

  /** This connection is the one that reads from now on. Undefined where there is no such job of this owner. */
  async attach({ jobNumber, owner, reader }: Attachment, replica: string): Promise<Attached | undefined> {
    const { rows } = await sql<Attached>`
      with before as (select job_number, reader from jobs where job_number = ${jobNumber} for update)
      update jobs set reader = ${reader}, read_by = ${replica} from before
      where jobs.job_number = before.job_number ${owner === undefined ? sql`` : sql`and jobs.owner = ${owner}`}
      returning jobs.kind, jobs.request, before.reader is not null as "hadReader",
        case when jobs.ended_at is not null then jobs.last_seq::float8 end as "endedAtSeq"
    `.execute(this.#postgres.db)
    return rows[0]
  }

  async detach(jobNumber: string, reader: string): Promise<void> {
    await sql`
      update jobs set reader = null, read_by = null where job_number = ${jobNumber} and reader = ${reader}
    `.execute(this.#postgres.db)
  }

  /** What has come after a message, in order; undefined where another connection reads by now. */
  async read(jobNumber: string, reader: string, after: number, most: number): Promise<Letter[] | undefined> {
    const rows = await this.#postgres.read<{ reader: string | null } & Letter>(
      'mailbox',
      `select jobs.reader, mailbox.seq::float8 as seq, mailbox.type, mailbox.final, mailbox.data from jobs
       left join mailbox on mailbox.job_number = jobs.job_number and mailbox.seq > $2 and mailbox.data is not null
       where jobs.job_number = $1 order by mailbox.seq limit $3`,
      [jobNumber, after, most],
    )
    if (rows[0]?.reader !== reader) return undefined
    return rows.filter(({ seq }) => seq !== null)
  }

  /** Up to this message all were delivered: their data is no longer needed. */
  async delivered(jobNumber: string, seq: number): Promise<void> {
    await sql`
      with gone as (
        update mailbox set data = null where job_number = ${jobNumber} and seq <= ${seq} and data is not null
        returning bytes
      )
      update jobs set read_seq = greatest(read_seq, least(${seq}, last_seq)),
        waiting_bytes = waiting_bytes - (select coalesce(sum(bytes), 0) from gone)
      where job_number = ${jobNumber}
    `.execute(this.#postgres.db)
  }

  /** What was posted since the horizon, and the horizon for the next look. */
  async news(
    horizon = lastHorizon,
  ): Promise<{ posted: { jobNumber: string; seq: number }[]; horizon: string }> {
    const { rows: posted, ...next } = await changesSince<{ jobNumber: string; seq: number }>(
      this.#postgres,
      { name: 'mailbox news', table: 'mailbox', columns: 'job_number as "jobNumber", seq::float8 as seq' },
      horizon,
    )
    return { posted, ...next }
  }

  async beat(replica: string): Promise<void> {
    await sql`
      insert into replicas (id, alive_at) values (${replica}, now())
      on conflict (id) do update set alive_at = now()
    `.execute(this.#postgres.db)
  }

  /** Bytes on disk, delivered or not: what a crowd of readers who never come would fill. */
  async size(): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::float8 as bytes
      from pg_inherits where inhparent = 'mailbox'::regclass
    `.execute(this.#postgres.db)
    return rows[0]?.bytes ?? 0
  }

  /** Partitions for the hours to come, and none for those whose messages have all expired. One process at a time. */
  async sweep(keepS: number): Promise<void> {
    const hours = hoursAPartition * 3600
    await this.#postgres.transaction(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('mailbox partitions'))`.execute(tx)
      for (const ahead of [0, 1]) {
        const fromS = (Math.floor(Date.now() / 1000 / hours) + ahead) * hours
        await sql
          .raw(
            `create table if not exists ${nameOf(fromS)} partition of mailbox
             for values from ('${stampOf(fromS)}') to ('${stampOf(fromS + hours)}')`,
          )
          .execute(tx)
      }
      const { rows } = await sql<{ name: string }>`
        select inhrelid::regclass::text as name from pg_inherits where inhparent = 'mailbox'::regclass
      `.execute(tx)
      const oldestS = Date.now() / 1000 - keepS - hours
      for (const { name } of rows) {
        const fromS = Number(/^mailbox_(\d+)$/.exec(name)?.[1])
        if (fromS < oldestS) await sql.raw(`drop table if exists ${nameOf(fromS)}`).execute(tx)
      }
    })
    await sql`delete from mailbox_other where created_at < now() - make_interval(secs => ${keepS})`.execute(
      this.#postgres.db,
    )
    await sql`delete from replicas where alive_at < now() - interval '1 hour'`.execute(this.#postgres.db)
  }
}

const nameOf = (fromS: number) => `mailbox_${fromS}`
const stampOf = (atS: number) => new Date(atS * 1000).toISOString()

const isPosted = (jobNumber: string, key: string) =>
  sql`exists (select from mailbox where job_number = ${jobNumber} and post_key = ${key})`

const isAlive = (replica: ReturnType<typeof sql>) =>
  sql`exists (select from replicas where id = ${replica} and alive_at > now() - interval '6 s')`
