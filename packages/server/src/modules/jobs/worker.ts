import { randomUUID } from 'node:crypto'
import { isQueuedJobKind, jobNumberOfTask, jobQueue, type QueuedJobKind } from '@manc/contract'
import type { Logger } from 'pino'
import type { Delivery, Inbox, RabbitMq, Subscriber } from '../../engines/rabbitmq/index.ts'
import { Loop } from '../../loop.ts'
import type { Courier } from './courier.ts'
import type { JobHandlers } from './handlers.ts'
import type { LeasedJob, LeaseStore } from './leases.store.ts'
import type { MessageService } from './messages.service.ts'

interface Parts {
  store: LeaseStore
  messages: MessageService
  courier: Courier
  rabbitMq: RabbitMq
  handlers: JobHandlers
  log: Logger
}

/** Somebody else goes on this long after the last sign of life. */
export const leaseForS = 12
const renewEveryMs = 4000
const atOnce = 16
const sweepEveryMs = 1000
const mostAttempts = 12
const longestWaitS = 30

/**
 * Does jobs. A message says that there is one, the lease on its row says who does it; when the lease runs out somebody
 * else goes on from the cursor. The message has done its duty once the row was looked at.
 */
export class Worker {
  readonly #parts: Parts
  readonly #loop: Loop
  readonly #running = new Set<Promise<void>>()
  /** The lease of each job that is under way. */
  readonly #leases = new Map<string, string>()
  readonly #renewing: Loop
  readonly #stopping = new AbortController()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#loop = new Loop({
      name: 'looking for unfinished jobs',
      everyMs: sweepEveryMs,
      log: parts.log,
      round: () => this.#sweep(),
    })
    this.#renewing = new Loop({
      name: 'keeping jobs',
      everyMs: renewEveryMs,
      log: parts.log,
      round: async () => {
        if (this.#leases.size > 0) await parts.store.renew(this.#leases, leaseForS)
      },
    })
  }

  start(): void {
    const { handlers, rabbitMq } = this.#parts
    for (const { kind } of handlers) if (isQueuedJobKind(kind)) rabbitMq.subscribe(this.#subscriber(kind))
    this.#loop.start()
    this.#renewing.start()
  }

  /** What is under way is given back, for others to go on with. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop.stop()
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
      prefetch: atOnce,
      opened: (opened) => {
        inbox = opened
      },
      closed: () => {
        inbox = undefined
      },
      received: ({ tag, content }: Delivery) => {
        const from = inbox
        void this.#begin(async () => {
          const jobNumber = jobNumberOfTask(content.toString('utf8'))
          const lease = randomUUID()
          try {
            const job = jobNumber && (await this.#parts.store.take(jobNumber, lease, leaseForS))
            if (job) await this.#do(job, lease)
          } finally {
            // Whatever has become of it, the row knows, and the sweep goes by rows.
            acknowledge(tag, from)
          }
        })
      },
    }
  }

  async #sweep(): Promise<void> {
    const free = atOnce - this.#running.size
    if (free <= 0 || this.#stopping.signal.aborted) return
    const lease = randomUUID()
    const kinds = [...this.#parts.handlers].map(({ kind }) => kind)
    for (const job of await this.#parts.store.takeDue(kinds, lease, leaseForS, free))
      void this.#begin(() => this.#do(job, lease))
  }

  #begin(work: () => Promise<void>): Promise<void> {
    const running: Promise<void> = work()
      .catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, 'a job could not be begun; it is tried again')
      })
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    return running
  }

  async #do(job: LeasedJob, lease: string): Promise<void> {
    const { store, messages, log } = this.#parts
    if (job.isLate) return messages.end(job.jobNumber, 'failed', 'It took longer than a job may.')
    if (job.attempts > mostAttempts)
      return messages.end(job.jobNumber, 'failed', 'It failed again and again. Ask once more later.')
    this.#leases.set(job.jobNumber, lease)
    try {
      await this.#deliver(job, lease)
    } catch (error) {
      if (error instanceof LeaseLost) return
      const waitS = error instanceof ReaderWanted ? 1 : Math.min(2 ** (job.attempts - 1), longestWaitS)
      if (!(error instanceof ReaderWanted) && !this.#stopping.signal.aborted)
        log.warn({ err: error, job: job.jobNumber, waitS }, 'a job stopped; it goes on later')
      const isStopping = this.#stopping.signal.aborted
      await store.release(job.jobNumber, lease, {
        afterS: isStopping ? 0 : waitS,
        hasFailed: !isStopping && !(error instanceof ReaderWanted),
      })
    } finally {
      this.#leases.delete(job.jobNumber)
    }
  }

  async #deliver(job: LeasedJob, lease: string): Promise<void> {
    const handler = this.#parts.handlers.get(job.kind)
    if (!handler) throw new Error(`no handler for ${job.kind}`)
    const request = JSON.parse(job.request) as Record<string, unknown>
    for await (const chunk of handler.chunks(request, job.cursor ?? undefined, job.jobNumber)) {
      this.#stopping.signal.throwIfAborted()
      const outcome = await this.#parts.courier.deliver({
        jobNumber: job.jobNumber,
        callback: handler.callback,
        lease,
        chunk,
        signal: this.#stopping.signal,
      })
      if (outcome === 'lease lost') throw new LeaseLost()
      if (outcome === 'mailbox full') throw new ReaderWanted()
    }
  }
}

class LeaseLost extends Error {}
class ReaderWanted extends Error {}
