import { type JobKind, jobStates } from '@manc/contract'
import { type Postgres, sql } from '../../engines/postgres.ts'
import { maxChunkBytes } from './handlers.types.ts'
import { hasWaitingReader, isOwnerFull } from './jobs.store.ts'

/** A job as its worker gets it. */
export interface LeasedJob {
  jobNumber: string
  kind: JobKind
  owner: string
  /** JSON text. */
  request: string
  cursor: string | null
  attempts: number
  isLate: boolean
  /** Undelivered. */
  unreadBytes: number
  /** Whether the owner has too many undelivered results for another chunk. */
  isOwnerFull: boolean
  /** Null for a job of version 1.1. */
  ownerUnreadLimit: number | null
  /** A client has read everything and waits for more. */
  hasWaitingReader: boolean
  traceparent: string | null
}

/** Jobs that may be taken now. */
export interface DueJobs {
  jobNumbers: string[]
  /** The owner after which the next search continues; undefined: all owners were searched. */
  lastOwner: string | undefined
}

interface Search {
  /** Search owners after this one. */
  afterOwner: string | undefined
  limit: number
  /** Limit for each owner, including the jobs that are running. */
  maxPerOwner: number
  /** Running jobs of this process, by owner. */
  running: ReadonlyMap<string, number>
}

const columns = sql`
  job_number as "jobNumber", kind, owner, request, cursor, attempts, ends_by < now() as "isLate",
  waiting_bytes::float8 as "unreadBytes", traceparent, ${isOwnerFull(maxChunkBytes)} as "isOwnerFull",
  owner_unread_limit::float8 as "ownerUnreadLimit", ${hasWaitingReader} as "hasWaitingReader"
`

/** The kinds that workers do. The index `jobs_by_owner_for_workers` has the same condition: the planner compares the texts. */
export const workedKinds: readonly JobKind[] = ['agent_details', 'agent_data', 'send_commands']
const statesOfOthers = jobStates.filter((state) => state !== 'queued' && state !== 'running')
const isForWorkers = sql`
  state not in (${sql.join(statesOfOthers.map((state) => sql.lit(state)))})
    and kind in (${sql.join(workedKinds.map((kind) => sql.lit(kind)))})
`

const firstOwner = '00000000-0000-0000-0000-000000000000'
const ownersPerSearch = 256

/** The lease of a job is on its row: a worker that lost it cannot post results any more. */
export class LeaseStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * Due jobs, first those of the owners with the fewest running jobs, and at random among these, so that no owner is always
   * the last. The search skips from owner to owner in an index: its cost does not depend on how many jobs one of them has.
   */
  async due({ afterOwner, limit, maxPerOwner, running }: Search): Promise<DueJobs> {
    const { rows } = await sql<{ owner: string; position: number; jobNumber: string | null }>`
      with recursive owners (owner, position) as (
        (select owner, 1 from jobs where ${isForWorkers} and owner > ${afterOwner ?? firstOwner} order by owner limit 1)
        union all
        select following.owner, owners.position + 1 from owners cross join lateral (
          select jobs.owner from jobs where ${isForWorkers} and jobs.owner > owners.owner order by jobs.owner limit 1
        ) as following
        where owners.position < ${ownersPerSearch}
      ), due as (
        select owners.owner, job.job_number, job.rank from owners
        left join unnest(${[...running.keys()]}::uuid[], ${[...running.values()]}::integer[]) as busy (owner, jobs)
          on busy.owner = owners.owner
        cross join lateral (
          select job_number, row_number() over (order by work_after) as rank from (
            select job_number, work_after from jobs
            where ${isForWorkers} and jobs.owner = owners.owner and work_after <= now()
            order by work_after limit ${limit}
          ) as oldest
        ) as job
        where job.rank + coalesce(busy.jobs, 0) <= ${maxPerOwner}
        order by job.rank + coalesce(busy.jobs, 0), random() limit ${limit}
      )
      select owner, null as "jobNumber", position from owners where position = (select max(position) from owners)
      union all select owner, job_number, 0 from due
    `.execute(this.#postgres.db)
    const last = rows.find(({ jobNumber }) => jobNumber === null)
    return {
      jobNumbers: rows.flatMap(({ jobNumber }) => jobNumber ?? []),
      lastOwner: last && last.position >= ownersPerSearch ? last.owner : undefined,
    }
  }

  /** Jobs that another worker takes at the same time, or that have ended, are left out. */
  async take(jobNumbers: readonly string[], lease: string, leaseS: number): Promise<LeasedJob[]> {
    const { rows } = await sql<LeasedJob>`
      update jobs set lease = ${lease}, work_after = now() + make_interval(secs => ${leaseS}),
        state = 'running', attempts = attempts + 1
      where job_number = any(array(
        select job_number from jobs where job_number = any(${jobNumbers}) and ${isForWorkers} and work_after <= now()
        for update skip locked))
      returning ${columns}
    `.execute(this.#postgres.db)
    return rows
  }

  /** By job number. */
  async renew(leases: ReadonlyMap<string, string>, leaseS: number): Promise<void> {
    await sql`
      update jobs set work_after = now() + make_interval(secs => ${leaseS})
      from unnest(${[...leases.keys()]}::text[], ${[...leases.values()]}::uuid[]) as held (job_number, lease)
      where jobs.job_number = held.job_number and jobs.lease = held.lease and jobs.state = 'running'
    `.execute(this.#postgres.db)
  }

  /** The job is due again after a while. */
  async release(
    jobNumber: string,
    lease: string,
    { afterS, hasFailed }: { afterS: number; hasFailed: boolean },
  ): Promise<void> {
    await sql`
      update jobs set lease = null, attempts = case when ${hasFailed} then attempts else 0 end,
        work_after = now() + make_interval(secs => ${afterS})
      where job_number = ${jobNumber} and lease = ${lease}
    `.execute(this.#postgres.db)
  }
}
