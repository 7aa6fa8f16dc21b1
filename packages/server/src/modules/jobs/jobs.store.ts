import type { JobKind, JobState } from '@manc/contract'
import { type Executor, type Postgres, sql, type Tx } from '../../engines/postgres.ts'

export interface Job {
  jobNumber: string
  kind: JobKind
  owner: string
  state: JobState
  detail: string | null
  createdAt: Date
  endedAt: Date | null
  lastSeq: number
  readSeq: number
  parent: string | null
  /** JSON text. */
  progress: string | null
}

/** The jobs of one owner: those that stand for themselves, or the parts of one. */
export interface JobFilter {
  owner: string
  parent?: string
  /** Any where none is named. */
  kind?: readonly JobKind[]
  state?: readonly JobState[]
}

/** A job as the one who works on it has it. */
export interface Leased {
  jobNumber: string
  kind: JobKind
  /** JSON text. */
  request: string
  cursor: string | null
  attempts: number
  isLate: boolean
}

export interface NewJob {
  jobNumber: string
  kind: JobKind
  owner: string
  /** JSON text. */
  request: string
  state: 'queued' | 'open'
  /** Whether the broker is to be told of it. */
  isTold: boolean
  livesForS: number
}

const columns = sql`
  job_number as "jobNumber", kind, owner, state, detail, created_at as "createdAt", ended_at as "endedAt",
  last_seq::float8 as "lastSeq", read_seq::float8 as "readSeq", parent, progress
`
const leasedColumns = sql`
  job_number as "jobNumber", kind, request, cursor, attempts, ends_by < now() as "isLate"
`

export class JobStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  async insert(tx: Executor, job: NewJob): Promise<void> {
    await sql`
      insert into jobs (job_number, kind, owner, state, request, published, ends_by)
      values (${job.jobNumber}, ${job.kind}, ${job.owner}, ${job.state}, ${job.request}, ${!job.isTold},
        now() + make_interval(secs => ${job.livesForS}))
    `.execute(tx)
  }

  /** The job that the same caller has made with the same key before; undefined where the key is new, and taken now. */
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

  /** The newest first, from before the given job on. */
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

  async unpublished(limit: number): Promise<{ jobNumber: string; kind: JobKind; request: string }[]> {
    const { rows } = await sql<{ jobNumber: string; kind: JobKind; request: string }>`
      select job_number as "jobNumber", kind, request from jobs
      where not published and created_at < now() - interval '2 s' order by created_at limit ${limit}
    `.execute(this.#postgres.db)
    return rows
  }

  async setPublished(jobNumbers: string[]): Promise<void> {
    await sql`update jobs set published = true where job_number = any(${jobNumbers})`.execute(
      this.#postgres.db,
    )
  }

  /** The lease on one job, if nobody else has it. */
  async take(jobNumber: string, lease: string, forS: number): Promise<Leased | undefined> {
    const { rows } = await this.#lease(sql`job_number = ${jobNumber}`, lease, forS)
    return rows[0]
  }

  /** The lease on jobs that wait for somebody to go on with them. */
  async takeWaiting(kinds: readonly string[], lease: string, forS: number, most: number): Promise<Leased[]> {
    const { rows } = await this.#lease(
      sql`job_number in (
        select job_number from jobs
        where state in ('queued', 'running') and work_after <= now() - interval '1 s' and kind = any(${kinds}::text[])
        order by work_after limit ${most} for update skip locked)`,
      lease,
      forS,
    )
    return rows
  }

  async setRunning(jobNumber: string): Promise<void> {
    await sql`update jobs set state = 'running' where job_number = ${jobNumber} and state = 'queued'`.execute(
      this.#postgres.db,
    )
  }

  /** Whoever is still at work says so. */
  async renew(leases: ReadonlyMap<string, string>, forS: number): Promise<void> {
    await sql`
      update jobs set work_after = now() + make_interval(secs => ${forS})
      from unnest(${[...leases.keys()]}::text[], ${[...leases.values()]}::uuid[]) as held (job_number, lease)
      where jobs.job_number = held.job_number and jobs.lease = held.lease and jobs.state = 'running'
    `.execute(this.#postgres.db)
  }

  /** Gives a job back, to be gone on with after a while. One that only waits for its reader has not failed. */
  async giveBack(
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

  async sweep(keepS: number): Promise<void> {
    // An emulation may take longer than anything is kept.
    await sql`
      delete from jobs where created_at < now() - make_interval(secs => ${2 * keepS})
        and (kind <> 'emulator_spinup' or ended_at < now() - make_interval(secs => ${keepS}))
    `.execute(this.#postgres.db)
    await sql`delete from job_keys where created_at < now() - make_interval(secs => ${keepS})`.execute(
      this.#postgres.db,
    )
  }

  #lease(which: ReturnType<typeof sql>, lease: string, forS: number) {
    return sql<Leased>`
      update jobs set lease = ${lease}, work_after = now() + make_interval(secs => ${forS}),
        state = 'running', attempts = attempts + 1
      where ${which} and state in ('queued', 'running') and work_after <= now()
      returning ${leasedColumns}
    `.execute(this.#postgres.db)
  }
}
