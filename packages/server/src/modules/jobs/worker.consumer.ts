import { randomUUID } from 'node:crypto'
import { isQueuedJobKind, jobNumberOfTask, jobQueue, type QueuedJobKind } from '@manc/contract'
import type { Logger } from 'pino'
import type { Delivery, Inbox, RabbitMq, Subscriber } from '../../engines/rabbitmq/index.ts'
import { Loop } from '../../loop.ts'
import type { Span, Tracing } from '../../tracing.ts'
import type { CallbackClient } from './callback.client.ts'
import type { JobHandlers } from './handlers.registry.ts'
import { jobAttributes } from './job-spans.format.ts'
import type { LeasedJob, LeaseStore } from './leases.store.ts'
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

/** Without a renewal, another worker continues the job after this time. */
export const leaseForS = 12
const renewIntervalMs = 4000
const pollIntervalMs = 1000
const maxConcurrentJobs = 16
const maxAttempts = 12
const maxWaitS = 30

/**
 * Does jobs. A message announces a job, but the lease on its row decides which worker does it; when the lease ends, another
 * worker continues from the cursor. A message is acknowledged whatever happened: the poll finds unfinished rows.
 */
export class JobWorker {
  readonly #options: Options
  readonly #polling: Loop
  readonly #renewing: Loop
  readonly #running = new Set<Promise<void>>()
  /** The lease of each running job. */
  readonly #leases = new Map<string, string>()
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
    for (const { kind } of handlers) if (isQueuedJobKind(kind)) rabbitMq.subscribe(this.#subscriber(kind))
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
    const acknowledge = (tag: number, of: Inbox | undefined) => {
      if (inbox === of) of?.acknowledge(tag)
    }
    return {
      queue: jobQueue(kind),
      prefetch: maxConcurrentJobs,
      opened: (opened) => {
        inbox = opened
      },
      closed: () => {
        inbox = undefined
      },
      received: ({ tag, content }: Delivery) => {
        const from = inbox
        void this.#run(async () => {
          const jobNumber = jobNumberOfTask(content.toString('utf8'))
          const lease = randomUUID()
          try {
            const job = jobNumber && (await this.#options.store.take(jobNumber, lease, leaseForS))
            if (job) await this.#do(job, lease)
          } finally {
            acknowledge(tag, from)
          }
        })
      },
    }
  }

  async #poll(): Promise<void> {
    const free = maxConcurrentJobs - this.#running.size
    if (free <= 0 || this.#stopping.signal.aborted) return
    const lease = randomUUID()
    const kinds = [...this.#options.handlers].map(({ kind }) => kind)
    for (const job of await this.#options.store.takeDue(kinds, lease, leaseForS, free))
      void this.#run(() => this.#do(job, lease))
  }

  #run(work: () => Promise<void>): Promise<void> {
    const running: Promise<void> = work()
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'a job could not be started; it will be retried')
      })
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    return running
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
    if (job.isLate) return messages.end(job.jobNumber, 'failed', 'It took longer than a job may take.')
    if (job.attempts > maxAttempts)
      return messages.end(job.jobNumber, 'failed', 'It failed repeatedly. Request it again later.')
    this.#leases.set(job.jobNumber, lease)
    try {
      await this.#deliver(job, lease)
    } catch (error) {
      span?.fail(error instanceof Error ? error.name : 'unknown')
      if (error instanceof LeaseLost) return
      const isStopping = this.#stopping.signal.aborted
      const isWaiting = error instanceof MailboxFull
      const waitS = isWaiting ? 1 : Math.min(2 ** (job.attempts - 1), maxWaitS)
      if (!isWaiting && !isStopping)
        log.warn({ err: error, job: job.jobNumber, waitS }, 'a job failed; it will be retried')
      await store.release(job.jobNumber, lease, {
        afterS: isStopping ? 0 : waitS,
        hasFailed: !isStopping && !isWaiting,
      })
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

class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
class MailboxFull extends Error {
  override readonly name = 'MailboxFull'
}
