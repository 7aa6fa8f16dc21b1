import type { JobKind } from '@manc/contract'
import { isNextDue } from '../../engines/postgres.lease.ts'
import { type Postgres, sql } from '../../engines/postgres.ts'

/** A job as its worker gets it. */
export interface LeasedJob {
  jobNumber: string
  kind: JobKind
  /** JSON text. */
  request: string
  cursor: string | null
  attempts: number
  isLate: boolean
  traceparent: string | null
}

const columns = sql`
  job_number as "jobNumber", kind, request, cursor, attempts, ends_by < now() as "isLate", traceparent
`

/** The lease of a job is on its row: a worker that lost it cannot post results any more. */
export class LeaseStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Undefined if another worker has the job, or it has ended. */
  async take(jobNumber: string, lease: string, leaseS: number): Promise<LeasedJob | undefined> {
    const isFree = sql`job_number = ${jobNumber} and state in ('queued', 'running') and work_after <= now()`
    return (await this.#take(isFree, lease, leaseS))[0]
  }

  /** Jobs that were not started by their message, or whose worker is gone. */
  takeDue(kinds: readonly string[], lease: string, leaseS: number, limit: number): Promise<LeasedJob[]> {
    const isDue = isNextDue({
      table: 'jobs',
      key: 'job_number',
      dueAt: 'work_after',
      limit,
      // A second for the message to arrive first.
      where: sql`
        and work_after <= now() - interval '1 s' and state in ('queued', 'running') and kind = any(${kinds}::text[])`,
    })
    return this.#take(isDue, lease, leaseS)
  }

  /** By job number. */
  async renew(leases: ReadonlyMap<string, string>, leaseS: number): Promise<void> {
    await sql`
      update jobs set work_after = now() + make_interval(secs => ${leaseS})
      from unnest(${[...leases.keys()]}::text[], ${[...leases.values()]}::uuid[]) as held (job_number, lease)
      where jobs.job_number = held.job_number and jobs.lease = held.lease and jobs.state = 'running'
    `.execute(this.#postgres.db)
  }

  /** The job is due again after a while. Waiting for a reader is no failed attempt. */
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

  async #take(which: ReturnType<typeof sql>, lease: string, leaseS: number): Promise<LeasedJob[]> {
    const { rows } = await sql<LeasedJob>`
      update jobs set lease = ${lease}, work_after = now() + make_interval(secs => ${leaseS}),
        state = 'running', attempts = attempts + 1
      where ${which}
      returning ${columns}
    `.execute(this.#postgres.db)
    return rows
  }
}
