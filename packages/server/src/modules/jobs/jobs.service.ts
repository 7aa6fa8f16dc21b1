import { randomUUID } from 'node:crypto'
import type { JobKind } from '@manc/contract'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { notFound } from '../../errors.ts'
import type { Job, JobFilter, JobStore } from './jobs.store.ts'
import type { Outbox } from './outbox.ts'

interface Wish {
  kind: JobKind
  request: Record<string, unknown>
  /** Id of the caller. */
  owner: string
  /** The caller's own name for this wish: asked for again, it is the same job. */
  key: string | undefined
}

/** Nobody works on these: what their clients get comes from elsewhere. */
const restful: ReadonlySet<JobKind> = new Set(['agent_live', 'send_commands'])
/** And of these the broker need not be told. */
const untold: ReadonlySet<JobKind> = new Set(['agent_live', 'send_commands'])

/** Everything that is answered later, under a number. */
export class JobService {
  readonly #postgres: Postgres
  readonly #store: JobStore
  readonly #outbox: Outbox
  readonly #livesForS: number

  constructor(parts: { postgres: Postgres; store: JobStore; outbox: Outbox; livesForS: number }) {
    this.#postgres = parts.postgres
    this.#store = parts.store
    this.#outbox = parts.outbox
    this.#livesForS = parts.livesForS
  }

  /**
   * A row first and a message after: with the broker down the job is there, and runs later. `also` joins the
   * transaction, for what belongs to the job.
   */
  async create(
    { kind, request, owner, key }: Wish,
    also?: (tx: Tx, jobNumber: string) => Promise<void>,
  ): Promise<string> {
    const job = {
      jobNumber: randomUUID(),
      kind,
      owner,
      request: JSON.stringify(request),
      state: restful.has(kind) ? ('open' as const) : ('queued' as const),
      isTold: !untold.has(kind),
      livesForS: this.#livesForS,
    }
    if (key === undefined && !also) {
      await this.#store.insert(this.#postgres.db, job)
      if (job.isTold) this.#outbox.send(job)
      return job.jobNumber
    }
    return this.#postgres.transaction(async (tx) => {
      const known = key === undefined ? undefined : await this.#store.takeKey(tx, owner, key, job.jobNumber)
      if (known !== undefined) return known
      await this.#store.insert(tx, job)
      await also?.(tx, job.jobNumber)
      if (job.isTold) this.#postgres.afterCommit(tx, () => this.#outbox.send(job))
      return job.jobNumber
    })
  }

  /** Somebody elsewhere works on it. */
  begun(jobNumber: string): Promise<void> {
    return this.#store.setRunning(jobNumber)
  }

  /** Without an owner: anybody's. */
  async get(jobNumber: string, owner: string | undefined): Promise<Job> {
    const job = await this.#store.find(jobNumber)
    // Another's job is as good as none.
    if (!job || (owner !== undefined && job.owner !== owner)) throw notFound('Job')
    return job
  }

  page(which: JobFilter, after: string | undefined, limit: number): Promise<Job[]> {
    return this.#store.page(which, after, limit)
  }
}
