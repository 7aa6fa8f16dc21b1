import type { JobKind, JobState } from '@manc/contract'
import { type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import { hasMessageWithKey, insertMessages, isReplicaAlive } from '../mailbox/index.ts'

export interface Post {
  jobNumber: string
  /** JSON text of an array. */
  data: string
  final: boolean
  /** A repeated post with the same key changes nothing. */
  key: string | undefined
  /** The job must belong to this caller; undefined: any job. */
  owner: string | undefined
  /** From the job's worker: the lease that it must still have, and its new cursor. */
  work: { lease: string; cursor: string; leaseForS: number } | undefined
  /** Limit for messages that wait to be read. The first one may exceed it. */
  maxUnreadBytes: number
}

export interface Posted {
  seq: number
  kind: JobKind
  hasReader: boolean
}

/** Why a post changed nothing. */
export interface PostObstacle {
  exists: boolean
  isOwn: boolean
  isRepeated: boolean
  isFull: boolean
  hasReader: boolean
}

/** A new state of a job, and the message for its client. */
export interface JobUpdate {
  jobNumber: string
  state: JobState
  detail: string | null
  final: boolean
  /** JSON text; of an array if final. */
  data: string
}

export interface JobProgress {
  jobNumber: string
  /** JSON text: the number of parts in each state. */
  progress: string
  /** All parts have ended. */
  isComplete: boolean
}

/**
 * Recent keys live on the job row: an UPDATE that was blocked by another re-checks its own row, but no other table. Of two
 * concurrent posts with the same key the second finds the key here, and not in the mailbox.
 */
const maxRecentKeys = 16

/** A job row counts the messages of its mailbox: a message is numbered and stored in one statement. */
export class MessageStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Undefined if nothing was changed; `obstacle` finds the reason. */
  async post(post: Post): Promise<Posted | undefined> {
    const bytes = Buffer.byteLength(post.data)
    const { work, key } = post
    const { rows } = await sql<Posted>`
      with job as (
        update jobs set
          last_seq = last_seq + 1, waiting_bytes = waiting_bytes + ${bytes},
          state = case when ${post.final} then 'succeeded' else state end,
          ended_at = case when ${post.final} then now() else ended_at end
          ${key === undefined ? sql`` : sql`, recent_keys = (array_prepend(${key}::text, recent_keys))[1:${sql.lit(maxRecentKeys)}]`}
          ${work ? sql`, cursor = ${work.cursor}, attempts = 0, work_after = now() + make_interval(secs => ${work.leaseForS})` : sql``}
        where job_number = ${post.jobNumber}
          and (waiting_bytes = 0 or waiting_bytes + ${bytes} <= ${post.maxUnreadBytes})
          ${work ? sql`and lease = ${work.lease} and state = 'running'` : sql``}
          ${post.owner === undefined ? sql`` : sql`and owner = ${post.owner}`}
          ${key === undefined ? sql`` : sql`and not ${hasMessageWithKey(post.jobNumber, key)} and ${key}::text <> all(recent_keys)`}
        returning job_number, kind, last_seq, read_by
      ), message as (
        ${insertMessages(sql`select job_number, last_seq, 'result', ${post.final}, ${post.data}, ${bytes}, ${key ?? null} from job`)}
      )
      select last_seq::float8 as seq, kind, ${isReplicaAlive(sql`read_by`)} as "hasReader" from job
    `.execute(this.#postgres.db)
    return rows[0]
  }

  async obstacle(post: Post): Promise<PostObstacle> {
    const { rows } = await sql<PostObstacle>`
      select true as exists,
        ${post.owner === undefined ? sql`true` : sql`owner = ${post.owner}`} as "isOwn",
        ${post.key === undefined ? sql`false` : hasMessageWithKey(post.jobNumber, post.key)} as "isRepeated",
        waiting_bytes > 0 and waiting_bytes + ${Buffer.byteLength(post.data)} > ${post.maxUnreadBytes} as "isFull",
        ${isReplicaAlive(sql`read_by`)} as "hasReader"
      from jobs where job_number = ${post.jobNumber}
    `.execute(this.#postgres.db)
    return rows[0] ?? { exists: false, isOwn: false, isRepeated: false, isFull: false, hasReader: false }
  }

  async unreadBytesOf(owner: string): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(waiting_bytes), 0)::float8 as bytes from jobs where owner = ${owner}
    `.execute(this.#postgres.db)
    return rows[0]?.bytes ?? 0
  }

  /** A job that is only a mailbox, for a number that is not in use. */
  async openMailbox(jobNumber: string, owner: string, keepS: number): Promise<void> {
    await sql`
      insert into jobs (job_number, kind, owner, state, request, published, ends_by)
      values (${jobNumber}, 'mailbox', ${owner}, 'open', '{}', true, now() + make_interval(secs => ${keepS}))
      on conflict (job_number) do nothing
    `.execute(this.#postgres.db)
  }

  /** The kind of the job; undefined if it had ended before. */
  async end(
    jobNumber: string,
    state: 'succeeded' | 'failed',
    detail: string | null,
  ): Promise<JobKind | undefined> {
    const data = JSON.stringify({ state, detail })
    const { rows } = await sql<{ kind: JobKind }>`
      with job as (
        update jobs set last_seq = last_seq + 1, state = ${state}, detail = ${detail}, ended_at = now()
        where job_number = ${jobNumber} and state in ('queued', 'running')
        returning job_number, kind, last_seq
      ), message as (
        ${insertMessages(sql`select job_number, last_seq, 'state', true, ${data}, 0, null from job`)}
      )
      select kind from job
    `.execute(this.#postgres.db)
    return rows[0]?.kind
  }

  /** Returns the jobs that have ended. */
  async update(tx: Tx, updates: readonly JobUpdate[]): Promise<{ kind: JobKind; state: JobState }[]> {
    const { rows } = await sql<{ kind: JobKind; state: JobState; final: boolean }>`
      with job as (
        update jobs set
          state = news.state, detail = news.detail, last_seq = last_seq + 1,
          waiting_bytes = waiting_bytes + octet_length(news.data),
          ended_at = case when news.final then now() end
        from unnest(
          ${updates.map(({ jobNumber }) => jobNumber)}::text[], ${updates.map(({ state }) => state)}::text[],
          ${updates.map(({ detail }) => detail)}::text[], ${updates.map(({ final }) => final)}::boolean[],
          ${updates.map(({ data }) => data)}::text[]) as news (job_number, state, detail, final, data)
        where jobs.job_number = news.job_number
        returning jobs.job_number, jobs.kind, jobs.state, jobs.last_seq, news.final, news.data
      ), message as (
        ${insertMessages(sql`
          select job_number, last_seq, case when final then 'result' else 'state' end, final, data, octet_length(data), null
          from job`)}
      )
      select kind, state, final from job
    `.execute(tx)
    return rows.filter(({ final }) => final).map(({ kind, state }) => ({ kind, state }))
  }

  /** Where all parts have ended the job is queued, for a worker to collect the result. Returns the jobs that changed. */
  async updateProgress(updates: readonly JobProgress[]): Promise<string[]> {
    const { rows } = await sql<{ jobNumber: string }>`
      with job as (
        update jobs set progress = news.progress::json, last_seq = last_seq + 1,
          state = case when news.is_complete then 'queued' else jobs.state end,
          -- No message announces it: the worker polls for jobs that have been due for a second.
          work_after = now() - interval '2 s',
          ends_by = greatest(ends_by, now() + interval '15 min')
        from unnest(
          ${updates.map(({ jobNumber }) => jobNumber)}::text[], ${updates.map(({ progress }) => progress)}::text[],
          ${updates.map(({ isComplete }) => isComplete)}::boolean[]) as news (job_number, progress, is_complete)
        where jobs.job_number = news.job_number and jobs.state = 'open'
          and news.progress is distinct from jobs.progress::text
        returning jobs.job_number, jobs.last_seq, jobs.progress
      ), message as (
        ${insertMessages(sql`
          select job_number, last_seq, 'state', false,
            json_build_object('state', 'open', 'progress', progress)::text, 0, null
          from job`)}
      )
      select job_number as "jobNumber" from job
    `.execute(this.#postgres.db)
    return rows.map(({ jobNumber }) => jobNumber)
  }
}
