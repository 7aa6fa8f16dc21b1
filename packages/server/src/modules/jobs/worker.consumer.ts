import { randomUUID } from 'node:crypto'
import { isQueuedJobKind, jobQueue, type QueuedJobKind } from '@manc/contract'
import type { Logger } from 'pino'
import type { Delivery, Inbox, RabbitMq, Subscriber } from '../../engines/rabbitmq/index.ts'
import { Loop } from '../../loop.ts'
import type { Span, Tracing } from '../../tracing.ts'
import type { CallbackClient } from './callback.client.ts'
import type { JobHandlers } from './handlers.registry.ts'
import { jobAttributes } from './job-spans.format.ts'
import { type LeasedJob, type LeaseStore, workedKinds } from './leases.store.ts'
import type { MessageService } from './messages.service.ts'

interface Options {
  store: LeaseStore
  messages: MessageService
  callbacks: CallbackClient
  rabbitMq: RabbitMq
  handlers: JobHandlers
  log: Logger
  tracing: Tracing
}

/** To every process: a job that waited for its reader can continue. */
export const jobsWakeUp = { type: 'jobs' } as const
/** Without a renewal, another worker continues the job after this time. */
export const leaseForS = 12
const renewIntervalMs = 4000
const pollIntervalMs = 1000
const maxConcurrentJobs = 16
/** The other slots are for the jobs of other owners. */
const maxPerOwner = 12
const maxAnnouncements = 256
const maxAttempts = 12
const maxWaitS = 30

/**
 * Does jobs. A message only announces that there is a job: the worker takes due rows, in turn of each owner, so that the
 * jobs of one do not delay those of another. The lease on the row decides which worker does it; when the lease ends, another
 * worker continues from the cursor.
 */
export class JobWorker {
  readonly #options: Options
  readonly #polling: Loop
  readonly #renewing: Loop
  readonly #running = new Set<Promise<void>>()
  /** The lease of each running job. */
  readonly #leases = new Map<string, string>()
  /** Number of running jobs by owner. */
  readonly #ofOwner = new Map<string, number>()
  /** Where the search for due jobs continues. */
  #lastOwner: string | undefined
  #mayHaveMore = false
  readonly #stopping = new AbortController()

  constructor(options: Options) {
    this.#options = options
    const { log, store } = options
    this.#polling = new Loop({
      name: 'polling for unfinished jobs',
      intervalMs: pollIntervalMs,
      log,
      run: () => this.#poll(),
    })
    this.#renewing = new Loop({
      name: 'renewing job leases',
      intervalMs: renewIntervalMs,
      log,
      run: async () => {
        if (this.#leases.size > 0) await store.renew(this.#leases, leaseForS)
      },
    })
  }

  start(): void {
    const { handlers, rabbitMq } = this.#options
    for (const { kind } of handlers) {
      if (!workedKinds.includes(kind))
        throw new Error(
          `Workers do not search for jobs of the kind ${kind}. Add it to the index jobs_by_owner_for_workers.`,
        )
      if (isQueuedJobKind(kind)) rabbitMq.subscribe(this.#subscriber(kind))
    }
    rabbitMq.onWakeUp(jobsWakeUp.type, () => this.#polling.runNow())
    this.#polling.start()
    this.#renewing.start()
  }

  /** Releases the running jobs to other workers. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#polling.stop()
    await Promise.all(this.#running)
    await this.#renewing.stop()
  }

  #subscriber(kind: QueuedJobKind): Subscriber {
    let inbox: Inbox | undefined
    return {
      queue: jobQueue(kind),
      prefetch: maxAnnouncements,
      opened: (opened) => {
        inbox = opened
      },
      closed: () => {
        inbox = undefined
      },
      received: ({ tag }: Delivery) => {
        inbox?.acknowledge(tag)
        this.#polling.runNow()
      },
    }
  }

  async #poll(): Promise<void> {
    const { store } = this.#options
    const free = maxConcurrentJobs - this.#running.size
    this.#mayHaveMore = free <= 0
    if (free <= 0 || this.#stopping.signal.aborted) return
    const { jobNumbers, lastOwner } = await store.due({
      afterOwner: this.#lastOwner,
      limit: free,
      maxPerOwner,
      running: this.#ofOwner,
    })
    this.#lastOwner = lastOwner
    const lease = randomUUID()
    const taken = jobNumbers.length === 0 ? [] : await store.take(jobNumbers, lease, leaseForS)
    for (const job of taken) this.#run(job, lease)
    // Another worker took some of them, or there are more owners to search.
    if (taken.length < jobNumbers.length || lastOwner !== undefined) this.#polling.runNow()
    this.#mayHaveMore = taken.length > 0
  }

  #run(job: LeasedJob, lease: string): void {
    const { owner } = job
    this.#ofOwner.set(owner, (this.#ofOwner.get(owner) ?? 0) + 1)
    const running: Promise<void> = this.#do(job, lease)
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'a job could not be started; it will be retried')
      })
      .finally(() => {
        this.#running.delete(running)
        const left = (this.#ofOwner.get(owner) ?? 0) - 1
        if (left > 0) this.#ofOwner.set(owner, left)
        else this.#ofOwner.delete(owner)
        if (this.#mayHaveMore) this.#polling.runNow()
      })
    this.#running.add(running)
  }

  /** The trace is in the row, and not only in the message: a retry or a job that was found by polling continues it. */
  #do(job: LeasedJob, lease: string): Promise<void> {
    const { kind, jobNumber, attempts, traceparent } = job
    const attributes = {
      ...jobAttributes(kind, 'process'),
      'manc.job.number': jobNumber,
      'manc.job.attempt': attempts,
    }
    return this.#options.tracing.withSpan(
      { name: `process ${kind}`, kind: 'consumer', parent: traceparent, attributes },
      (span) => this.#doOnce(job, lease, span),
    )
  }

  async #doOnce(job: LeasedJob, lease: string, span: Span | undefined): Promise<void> {
    const { store, messages, log } = this.#options
    const problem = problemOf(job)
    if (problem !== undefined) {
      await messages.end(job.jobNumber, 'failed', problem)
      return
    }
    if (await messages.pauseIfFull(job, lease)) return
    this.#leases.set(job.jobNumber, lease)
    try {
      await this.#deliver(job, lease)
    } catch (error) {
      span?.fail(error instanceof Error ? error.name : 'unknown')
      if (error instanceof LeaseLost) return
      if (error instanceof MailboxFull)
        // The callback has released the job; an api process of version 1.1 has not.
        return await store.release(job.jobNumber, lease, { afterS: 1, hasFailed: false })
      const isStopping = this.#stopping.signal.aborted
      const waitS = Math.min(2 ** (job.attempts - 1), maxWaitS)
      if (!isStopping) log.warn({ err: error, job: job.jobNumber, waitS }, 'a job failed; it will be retried')
      await store.release(job.jobNumber, lease, { afterS: isStopping ? 0 : waitS, hasFailed: !isStopping })
    } finally {
      this.#leases.delete(job.jobNumber)
    }
  }

  async #deliver(job: LeasedJob, lease: string): Promise<void> {
    const { handlers, callbacks } = this.#options
    const { signal } = this.#stopping
    const handler = handlers.get(job.kind)
    if (!handler) throw new Error(`no handler for ${job.kind}`)
    const request = JSON.parse(job.request) as Record<string, unknown>
    for await (const chunk of handler.chunks(request, job.cursor ?? undefined, job.jobNumber)) {
      signal.throwIfAborted()
      const { jobNumber } = job
      const outcome = await callbacks.deliver({ jobNumber, callback: handler.callback, lease, chunk, signal })
      if (outcome === 'lease lost') throw new LeaseLost()
      if (outcome === 'mailbox full') throw new MailboxFull()
    }
  }
}

/** Why a job is not tried again. */
function problemOf({ isLate, attempts }: LeasedJob): string | undefined {
  if (isLate) return 'It took longer than a job may take.'
  return attempts > maxAttempts ? 'It failed repeatedly. Request it again later.' : undefined
}

class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
class MailboxFull extends Error {
  override readonly name = 'MailboxFull'
}
