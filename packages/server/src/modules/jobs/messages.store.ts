import type { JobKind, JobState } from '@manc/contract'
import { type Executor, type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import { hasMessageWithKey, insertMessages, isReplicaAlive } from '../mailbox/index.ts'
import { hasWaitingReader, isOwnerFull } from './jobs.store.ts'

export interface Post {
  jobNumber: string
  /** JSON text of an array. */
  data: string
  final: boolean
  /** A repeated post with the same key changes nothing. */
  key: string | undefined
  /** From the job's worker: the lease that it must still have, and its new cursor. */
  work: { lease: string; cursor: string; leaseForS: number } | undefined
  /** Limit for undelivered messages of the job. The first one may exceed it. Undefined: no limit, also none of the owner. */
  maxUnreadBytes: number | undefined
  /** Jobs of owners with this limit for undelivered results only get what a connected client waits for. Undefined: no jobs. */
  pausedUnreadLimit: number | undefined
}

export interface Posted {
  seq: number
  kind: JobKind
  hasReader: boolean
}

/** Why a post changed nothing. */
export interface PostObstacle {
  exists: boolean
  isRepeated: boolean
  /** The job has ended, or another worker has its lease. */
  isLeaseLost: boolean
  /** The mailbox of this job is full. */
  isFull: boolean
  /** The mailboxes of all jobs of its owner are full. */
  isOwnerFull: boolean
  /** The mailboxes of owners like that of this job are full, and no client waits for its results. */
  isPaused: boolean
  /** Null for a job of version 1.1. */
  ownerUnreadLimit: number | null
  hasReader: boolean
}

/** What a paused job waits for. */
export interface PauseEnd {
  event: 'results are read' | 'the owner has space' | 'there is space'
  /** Of the job: below this it continues. */
  unreadBytes: number
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

const noJob: PostObstacle = {
  exists: false,
  isRepeated: false,
  isLeaseLost: false,
  isFull: false,
  isOwnerFull: false,
  isPaused: false,
  ownerUnreadLimit: null,
  hasReader: false,
}

const maxWaitS = 60

/** Condition on a job row. */
const isFull = ({ data, maxUnreadBytes }: Post) =>
  maxUnreadBytes === undefined
    ? sql`false`
    : sql`(waiting_bytes > 0 and waiting_bytes + ${Buffer.byteLength(data)} > ${maxUnreadBytes})`

/** Condition on a job row. */
const isOwnerFullFor = ({ data, maxUnreadBytes }: Post) =>
  maxUnreadBytes === undefined ? sql`false` : isOwnerFull(Buffer.byteLength(data))

/** Condition on a job row. */
const isPaused = ({ pausedUnreadLimit }: Post) =>
  pausedUnreadLimit === undefined
    ? sql`false`
    : sql`(owner_unread_limit is not distinct from ${pausedUnreadLimit}::bigint and not ${hasWaitingReader})`

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
          last_seq = last_seq + 1, waiting_bytes = waiting_bytes + ${bytes}, reader_waits = 0,
          state = case when ${post.final} then 'succeeded' else state end,
          ended_at = case when ${post.final} then now() else ended_at end
          ${key === undefined ? sql`` : sql`, recent_keys = (array_prepend(${key}::text, recent_keys))[1:${sql.lit(maxRecentKeys)}]`}
          ${work ? sql`, cursor = ${work.cursor}, attempts = 0, work_after = now() + make_interval(secs => ${work.leaseForS})` : sql``}
        where job_number = ${post.jobNumber}
          and not ${isFull(post)} and not ${isOwnerFullFor(post)} and not ${isPaused(post)}
          ${work ? sql`and lease = ${work.lease} and state = 'running'` : sql``}
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
        ${post.key === undefined ? sql`false` : hasMessageWithKey(post.jobNumber, post.key)} as "isRepeated",
        ${post.work ? sql`lease is distinct from ${post.work.lease} or state <> 'running'` : sql`false`} as "isLeaseLost",
        ${isFull(post)} as "isFull", ${isOwnerFullFor(post)} as "isOwnerFull", ${isPaused(post)} as "isPaused",
        owner_unread_limit::float8 as "ownerUnreadLimit",
        ${isReplicaAlive(sql`read_by`)} as "hasReader"
      from jobs where job_number = ${post.jobNumber}
    `.execute(this.#postgres.db)
    return rows[0] ?? noJob
  }

  /**
   * The job waits for its reader, which is no failed attempt. `ReaderStore` makes it due when results are read; the wait,
   * which doubles, is for results that were read before this statement, and for space that other jobs use.
   */
  async pause({ jobNumber, lease }: { jobNumber: string; lease: string }, until: PauseEnd): Promise<void> {
    const isOver = {
      'results are read': sql`waiting_bytes <= ${until.unreadBytes}`,
      'the owner has space': hasWaitingReader,
      'there is space': sql`false`,
    }[until.event]
    await sql`
      update jobs set lease = null, attempts = 0, reader_waits = reader_waits + 1,
        work_after = case when ${isOver} then now()
          else now() + make_interval(secs => least(${maxWaitS}::float8, 2 ^ least(reader_waits, 16))) end
      where job_number = ${jobNumber} and lease = ${lease}
    `.execute(this.#postgres.db)
  }

  /** The kind of the job; undefined if it had ended before. */
  async end(
    jobNumber: string,
    state: 'succeeded' | 'failed',
    detail: string | null,
    tx: Executor = this.#postgres.db,
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
    `.execute(tx)
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
