import type { JobKind, JobState } from '@manc/contract'
import { deleteInBatches } from '../../engines/postgres.batches.ts'
import { type Executor, type Postgres, sql, type Tx } from '../../engines/postgres.ts'
import { isReplicaAlive } from '../mailbox/index.ts'

export interface Job {
  jobNumber: string
  kind: JobKind
  owner: string
  /** Null for a job of version 1.4 or earlier. */
  title: string | null
  apId: string | null
  state: JobState
  isCancelled: boolean
  detail: string | null
  createdAt: Date
  endedAt: Date | null
  lastSeq: number
  readSeq: number
  parent: string | null
  /** JSON text. */
  progress: string | null
}

/** Jobs of one owner: those without a parent, or the parts of one. */
export interface JobFilter {
  owner: string
  parent?: string
  /** Empty or missing: any. */
  kind?: readonly JobKind[]
  state?: readonly JobState[]
}

export interface NewJob {
  jobNumber: string
  kind: JobKind
  owner: string
  title: string
  /** JSON text. */
  request: string
  state: 'queued' | 'open'
  /** Whether no message has to be published for it (any more). */
  published: boolean
  livesForS: number
  /** For the undelivered bytes of all jobs of the owner. */
  ownerUnreadLimit: number
  /** Of its trace, if it is traced. */
  traceparent: string | null
}

export type UnpublishedJob = Pick<NewJob, 'jobNumber' | 'kind' | 'request' | 'traceparent'>

/** A part of another job. A skipped part has ended when it is created. */
export interface NewPart {
  jobNumber: string
  /** JSON text. */
  request: string
  /** The reason, if it is skipped. */
  skipped: string | undefined
}

/** The request of a command is short; that of a bulk command may have thousands of ids. */
const ofCommand = sql`kind = 'send_command'`
const columns = sql`
  job_number as "jobNumber", kind, owner, coalesce(title,
    case when ${ofCommand} then left(request ->> 'command', 160) || ' → ' || (request ->> 'agent_id') end) as title,
  case when kind in ('send_command', 'agent_data') then request ->> 'agent_id' end as "apId", state,
  cancelled as "isCancelled", detail, created_at as "createdAt", ended_at as "endedAt",
  last_seq::float8 as "lastSeq", read_seq::float8 as "readSeq", parent, progress
`

/**
 * Condition: the job counts against the limit of its owner, as it has not ended or has an undelivered result. Parts count
 * with their parent. Results of commands do not count: they are small, and many callers never read them. The index
 * `jobs_held` has the same condition.
 */
const isHeld = sql`parent is null and (ended_at is null or (waiting_bytes > 0 and kind <> 'send_command'))`

/** Condition on a row of `jobs`: a client has read everything and waits for more. */
export const hasWaitingReader = sql`(jobs.waiting_bytes = 0 and ${isReplicaAlive(sql`jobs.read_by`)})`

/**
 * Condition on a row of `jobs`: its owner has undelivered results, and this many bytes more would exceed the limit. A job
 * with a waiting reader continues all the same, one chunk at a time: otherwise a caller who reads one job would wait for
 * results of others to be read. The cost is bounded, as the number of the owner's jobs is, and the index `jobs_unread` has
 * the same condition. Concurrent posts do not see each other: each may exceed the limit once.
 */
export const isOwnerFull = (bytes: number) => sql`(
  select not ${hasWaitingReader} and coalesce(sum(unread.waiting_bytes), 0) > 0
    and coalesce(sum(unread.waiting_bytes), 0) + ${bytes}
      > coalesce(jobs.owner_unread_limit, ${Number.MAX_SAFE_INTEGER})
  from jobs as unread
  where unread.owner = jobs.owner
    and unread.parent is null and unread.waiting_bytes > 0 and unread.kind <> 'send_command')`

export class JobStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** False if the owner has too many jobs, or the number is in use. */
  async insert(tx: Executor, job: NewJob, maxOfOwner: number): Promise<boolean> {
    const { numAffectedRows } = await sql`
      insert into jobs (
        job_number, kind, owner, title, state, request, published, ends_by, owner_unread_limit, traceparent)
      select ${job.jobNumber}, ${job.kind}, ${job.owner}::uuid, ${job.title}, ${job.state}, ${job.request}::json, ${job.published}::boolean,
        now() + make_interval(secs => ${job.livesForS}), ${job.ownerUnreadLimit}::bigint, ${job.traceparent}
      where (
        select count(*) from (
          select from jobs where owner = ${job.owner}::uuid and ${isHeld} limit ${maxOfOwner}
        ) as counted) < ${maxOfOwner}
      on conflict (job_number) do nothing
    `.execute(tx)
    return numAffectedRows === 1n
  }

  /** Undelivered results of the jobs of all owners with this limit. The index `jobs_unread` has the same condition. */
  async unreadBytesOf(ownerUnreadLimit: number): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(waiting_bytes) filter (where owner_unread_limit = ${ownerUnreadLimit}::bigint), 0)::float8 as bytes
      from jobs where parent is null and waiting_bytes > 0 and kind <> 'send_command'
    `.execute(this.#postgres.db)
    return rows[0]?.bytes ?? 0
  }

  async insertParts(
    tx: Tx,
    { kind, parent, owner, livesForS }: { kind: JobKind; parent: string; owner: string; livesForS: number },
    parts: readonly NewPart[],
  ): Promise<void> {
    await sql`
      insert into jobs (job_number, kind, owner, state, detail, request, published, ends_by, ended_at, parent)
      select job_number, ${kind}, ${owner}::uuid, case when skipped is null then 'queued' else 'skipped' end, skipped,
        request::json, true, now() + make_interval(secs => ${livesForS}), case when skipped is not null then now() end,
        ${parent}
      from unnest(
        ${parts.map(({ jobNumber }) => jobNumber)}::text[], ${parts.map(({ request }) => request)}::text[],
        ${parts.map(({ skipped }) => skipped ?? null)}::text[]) as part (job_number, request, skipped)
    `.execute(tx)
  }

  /** The earlier job of this caller with the same key; undefined if the key is new, which is recorded for this job. */
  async takeKey(tx: Tx, owner: string, key: string, jobNumber: string): Promise<string | undefined> {
    const { rows } = await sql<{ jobNumber: string }>`
      insert into job_keys as known (owner, key, job_number) values (${owner}, ${key}, ${jobNumber})
      on conflict (owner, key) do update set key = excluded.key
      returning job_number as "jobNumber"
    `.execute(tx)
    return rows[0]?.jobNumber === jobNumber ? undefined : rows[0]?.jobNumber
  }

  async find(jobNumber: string): Promise<Job | undefined> {
    const { rows } = await sql<Job>`select ${columns} from jobs where job_number = ${jobNumber}`.execute(
      this.#postgres.db,
    )
    return rows[0]
  }

  /** JSON text; undefined if there is no such job. */
  async requestOf(jobNumber: string): Promise<string | undefined> {
    const { rows } = await sql<{ request: string }>`
      select request from jobs where job_number = ${jobNumber}
    `.execute(this.#postgres.db)
    return rows[0]?.request
  }

  /** The newest first, starting before the job `after`. */
  async page(
    { owner, parent, kind = [], state = [] }: JobFilter,
    after: string | undefined,
    limit: number,
  ): Promise<Job[]> {
    const earlier = after
      ? sql`and (created_at, job_number) < (select created_at, job_number from jobs where job_number = ${after})`
      : sql``
    const { rows } = await sql<Job>`
      select ${columns} from jobs
      where owner = ${owner} and ${parent === undefined ? sql`parent is null` : sql`parent = ${parent}`} ${earlier}
        ${kind.length > 0 ? sql`and kind = any(${kind})` : sql``}
        ${state.length > 0 ? sql`and state = any(${state})` : sql``}
      order by created_at desc, job_number desc limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  async unpublished(limit: number): Promise<UnpublishedJob[]> {
    const { rows } = await sql<UnpublishedJob>`
      select job_number as "jobNumber", kind, request, traceparent from jobs
      where not published and created_at < now() - interval '2 s' order by created_at limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  /** By the indexes of jobs that are to be done: the cost grows with their number, and not with the table. */
  async unfinished(): Promise<{ kind: JobKind; state: JobState; jobs: number }[]> {
    const { rows } = await sql<{ kind: JobKind; state: JobState; jobs: number }>`
      select kind, state, count(*)::float8 as jobs from jobs where state in ('queued', 'running') group by kind, state
    `.execute(this.#postgres.db)
    return rows
  }

  /** Delivered results that are kept, of all jobs. The index `jobs_kept` has the same condition. */
  async keptBytes(): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(kept_bytes), 0)::float8 as bytes from jobs where kept_bytes > 0
    `.execute(this.#postgres.db)
    return rows[0]?.bytes ?? 0
  }

  async oldestUnpublishedS(): Promise<number> {
    const { rows } = await sql<{ ageS: number }>`
      select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "ageS" from jobs where not published
    `.execute(this.#postgres.db)
    return rows[0]?.ageS ?? 0
  }

  async setPublished(jobNumbers: string[]): Promise<void> {
    await sql`update jobs set published = true where job_number = any(${jobNumbers})`.execute(
      this.#postgres.db,
    )
  }

  async setCancelled(tx: Tx, jobNumbers: readonly string[]): Promise<void> {
    await sql`update jobs set cancelled = true where job_number = any(${[...jobNumbers]})`.execute(tx)
  }

  async setRunning(jobNumber: string): Promise<void> {
    await sql`update jobs set state = 'running' where job_number = ${jobNumber} and state = 'queued'`.execute(
      this.#postgres.db,
    )
  }

  /** Ends jobs without a defined end that have no reader and nothing to read. A new reader reopens them. */
  async endIdle(afterS: number): Promise<void> {
    await sql`
      update jobs set state = 'succeeded', ended_at = now()
      where parent is null and ended_at is null and state = 'open' and kind in ('agent_live', 'mailbox')
        and created_at < now() - make_interval(secs => ${afterS}) and waiting_bytes = 0
        and not ${isReplicaAlive(sql`read_by`)}
    `.execute(this.#postgres.db)
  }

  async sweep(keepS: number): Promise<void> {
    // An emulation may run for longer than jobs are kept.
    const { db } = this.#postgres
    await deleteInBatches(
      db,
      'jobs',
      sql`created_at < now() - make_interval(secs => ${2 * keepS})
        and (kind <> 'emulator_spinup' or ended_at < now() - make_interval(secs => ${keepS}))`,
    )
    await deleteInBatches(db, 'job_keys', sql`created_at < now() - make_interval(secs => ${keepS})`)
  }
}
