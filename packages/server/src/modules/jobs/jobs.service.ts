import { randomUUID } from 'node:crypto'
import { isQueuedJobKind, type JobKind } from '@manc/contract'
import { type Caller, idOf } from '../../access.ts'
import type { Config } from '../../config.ts'
import type { Executor, Postgres, Tx } from '../../engines/postgres.ts'
import { notFound } from '../../errors.ts'
import { hasUserLimits, type Limits } from '../../limits.ts'
import type { Tracing } from '../../tracing.ts'
import type { WindowLimit } from '../throttle/index.ts'
import { jobAttributes } from './job-spans.format.ts'
import { jobTitles } from './job-titles.format.ts'
import type { JobMetrics } from './jobs.metrics.ts'
import type { Job, JobFilter, JobStore, NewJob, NewPart } from './jobs.store.ts'
import type { OutboxPublisher } from './outbox.publisher.ts'

interface JobRequest {
  kind: JobKind
  title: string
  request: Record<string, unknown>
  caller: Caller
  /** Idempotency key: a repeated request with the same key gets the same job. */
  key: string | undefined
}

type LimitName = 'MANC_OPEN_JOBS' | 'MANC_USER_OPEN_JOBS' | 'MANC_UNREAD_BYTES' | 'MANC_USER_UNREAD_BYTES'

/** How many jobs each caller may request within an hour. */
interface JobRates {
  /** Standard users and agents. */
  ofUsers: WindowLimit
  ofOthers: WindowLimit
}

/** They have a rate of their own, with each part of a bulk command. */
const kindsOfCommands: readonly JobKind[] = ['send_command', 'send_commands']
const idleEndsAfterS = 3600
const retryAfterS = 10

type AlsoInTransaction = (tx: Tx, jobNumber: string) => Promise<void>

interface JobBacklog {
  oldestUnpublishedS: number
  /** Jobs that read data or details. Commands and emulations take as long as their agents. */
  waiting: number
}

/** Creates and finds jobs: work whose result is delivered later, under a job number. */
export class JobService {
  readonly #postgres: Postgres
  readonly #store: JobStore
  readonly #outbox: OutboxPublisher
  readonly #limits: Limits
  readonly #rates: JobRates
  readonly #config: Pick<Config, LimitName | 'MANC_JOB_SECONDS'>
  readonly #countCreated: JobMetrics['countCreated']
  readonly #tracing: Tracing

  constructor(options: {
    postgres: Postgres
    store: JobStore
    outbox: OutboxPublisher
    limits: Limits
    rates: JobRates
    config: Pick<Config, LimitName | 'MANC_JOB_SECONDS'>
    countCreated: JobMetrics['countCreated']
    tracing: Tracing
  }) {
    this.#postgres = options.postgres
    this.#store = options.store
    this.#outbox = options.outbox
    this.#limits = options.limits
    this.#rates = options.rates
    this.#config = options.config
    this.#countCreated = options.countCreated
    this.#tracing = options.tracing
  }

  /**
   * The row comes first, the message after: while the broker is down the job is stored, and runs later. `also` joins the
   * transaction, for rows that belong to the job.
   */
  create(request: JobRequest, also?: AlsoInTransaction): Promise<string> {
    const { kind } = request
    return this.#tracing.withSpan(
      { name: `create ${kind}`, kind: 'producer', attributes: jobAttributes(kind, 'create') },
      async (span) => {
        const jobNumber = await this.#create(request, span?.traceparent ?? null, also)
        span?.set({ 'manc.job.number': jobNumber })
        return jobNumber
      },
    )
  }

  async #create(
    { kind, title, request, caller, key }: JobRequest,
    traceparent: string | null,
    also?: AlsoInTransaction,
  ): Promise<string> {
    // `agent_live` needs no worker; `send_commands` is queued for one when all of its parts have ended.
    const isOpen = !isQueuedJobKind(kind)
    const owner = idOf(caller)
    // Jobs that end at once are not among the open ones, and their rows stay.
    if (!kindsOfCommands.includes(kind))
      (hasUserLimits(caller) ? this.#rates.ofUsers : this.#rates.ofOthers).count(owner)
    const job = {
      jobNumber: randomUUID(),
      kind,
      owner,
      title,
      request: JSON.stringify(request),
      state: isOpen ? ('open' as const) : ('queued' as const),
      published: isOpen,
      livesForS: this.#config.MANC_JOB_SECONDS,
      ownerUnreadLimit: this.#unreadLimitOf(caller),
      traceparent,
    }
    if (key === undefined && !also) {
      await this.#insert(this.#postgres.db, job, caller)
      this.#created(job)
      return job.jobNumber
    }
    return this.#postgres.transaction(async (tx) => {
      const known = key === undefined ? undefined : await this.#store.takeKey(tx, owner, key, job.jobNumber)
      if (known !== undefined) return known
      await this.#insert(tx, job, caller)
      await also?.(tx, job.jobNumber)
      this.#postgres.afterCommit(tx, () => this.#created(job))
      return job.jobNumber
    })
  }

  async #insert(tx: Executor, job: NewJob, caller: Caller): Promise<void> {
    const limit = hasUserLimits(caller) ? 'MANC_USER_OPEN_JOBS' : 'MANC_OPEN_JOBS'
    const max = this.#config[limit]
    if (await this.#store.insert(tx, job, max)) return
    // Another request may have opened a mailbox with this number at the same time.
    if (job.kind === 'mailbox' && (await this.#store.find(job.jobNumber))) return
    throw this.#limits.refusal(
      limit,
      `At most ${max} of your jobs may be open at once. Read the results of some on their WebSockets, or wait until they end.`,
      retryAfterS,
    )
  }

  /** Never that of standard users for another caller: by this limit `MessageService` finds the jobs of standard users. */
  #unreadLimitOf(caller: Caller): number {
    const { MANC_USER_UNREAD_BYTES: ofUsers, MANC_UNREAD_BYTES: ofOthers } = this.#config
    if (hasUserLimits(caller)) return ofUsers
    return ofOthers === ofUsers ? ofOthers + 1 : ofOthers
  }

  /** A job that is only a mailbox, for a number that is not in use. */
  async openMailbox(jobNumber: string, caller: Caller): Promise<void> {
    const job: NewJob = {
      jobNumber,
      kind: 'mailbox',
      owner: idOf(caller),
      title: jobTitles.mailbox,
      request: '{}',
      state: 'open',
      published: true,
      livesForS: this.#config.MANC_JOB_SECONDS,
      ownerUnreadLimit: this.#unreadLimitOf(caller),
      traceparent: null,
    }
    await this.#insert(this.#postgres.db, job, caller)
    this.#created(job)
  }

  #created(job: NewJob): void {
    this.#countCreated({ kind: job.kind })
    if (!job.published) this.#outbox.send(job)
  }

  /** Jobs that are parts of another. No message announces them. */
  async createParts(
    tx: Tx,
    shared: { kind: JobKind; parent: string; owner: string; livesForS: number },
    parts: readonly NewPart[],
  ): Promise<void> {
    await this.#store.insertParts(tx, shared, parts)
    this.#postgres.afterCommit(tx, () => this.#countCreated({ kind: shared.kind }, parts.length))
  }

  /** For work that does not go through our workers. */
  setRunning(jobNumber: string): Promise<void> {
    return this.#store.setRunning(jobNumber)
  }

  /** In the transaction that ends them. */
  setCancelled(tx: Tx, jobNumbers: readonly string[]): Promise<void> {
    return this.#store.setCancelled(tx, jobNumbers)
  }

  /** Without an owner: any job. */
  async get(jobNumber: string, owner: string | undefined): Promise<Job> {
    const job = await this.#store.find(jobNumber)
    // Another caller's job looks like one that does not exist.
    if (!job || (owner !== undefined && job.owner !== owner)) throw notFound('Job')
    return job
  }

  /** What was requested, as JSON text. */
  async requestOf({ jobNumber }: Job): Promise<string> {
    return (await this.#store.requestOf(jobNumber)) ?? 'null'
  }

  page(filter: JobFilter, after: string | undefined, limit: number): Promise<Job[]> {
    return this.#store.page(filter, after, limit)
  }

  /** What waits to be published, and for a worker, a retry or the client. */
  async backlog(): Promise<JobBacklog> {
    const [oldestUnpublishedS, unfinished] = await Promise.all([
      this.#store.oldestUnpublishedS(),
      this.#store.unfinished(),
    ])
    const waiting = unfinished.filter(({ kind }) => kind === 'agent_data' || kind === 'agent_details')
    return { oldestUnpublishedS, waiting: waiting.reduce((sum, { jobs }) => sum + jobs, 0) }
  }

  async sweep(keepS: number): Promise<void> {
    await this.#store.endIdle(idleEndsAfterS)
    await this.#store.sweep(keepS)
  }
}
