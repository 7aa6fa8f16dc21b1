import { exchanges, type JobKind, jobTask } from '@manc/contract'
import type { Logger } from 'pino'
import type { RabbitMq } from '../../engines/rabbitmq/index.ts'
import { Refused } from '../../errors.ts'
import { Loop } from '../../loop.ts'
import type { JobStore, UnpublishedJob } from './jobs.store.ts'

/** Builds the messages of a job. */
export type MessageBuilder = (jobNumber: string) => Promise<{ id: string; content: Buffer }[]>

const pollIntervalMs = 1000
const jobsPerPoll = 500

/**
 * Publishes a message for every new job. Published jobs are marked in batches; jobs whose message failed are found in the
 * database and published later. A job that is published twice is done once: its lease decides.
 */
export class OutboxPublisher {
  readonly #store: JobStore
  readonly #rabbitMq: RabbitMq
  readonly #log: Logger
  readonly #loop: Loop
  readonly #builders = new Map<JobKind, MessageBuilder>()
  /** Not yet marked in the database. */
  #published: string[] = []

  constructor(options: { store: JobStore; rabbitMq: RabbitMq; log: Logger }) {
    this.#store = options.store
    this.#rabbitMq = options.rabbitMq
    this.#log = options.log
    this.#loop = new Loop({
      name: 'publishing jobs',
      intervalMs: pollIntervalMs,
      log: options.log,
      run: () => this.#poll(),
    })
  }

  /** For jobs with messages other than the default. They may contain secrets that no table has. */
  setMessageBuilder(kind: JobKind, builder: MessageBuilder): void {
    this.#builders.set(kind, builder)
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#mark()
  }

  /** Immediately; if that fails, the next poll finds the job. */
  send(job: UnpublishedJob): void {
    this.#publish(job).catch(() => {})
  }

  async #poll(): Promise<void> {
    await this.#mark()
    for (const job of await this.#store.unpublished(jobsPerPoll)) await this.#publishOrSkip(job)
    await this.#mark()
  }

  /** A job that cannot be published (too large, say) must not block the others. The worker finds it by polling. */
  async #publishOrSkip(job: UnpublishedJob): Promise<void> {
    try {
      await this.#publish(job)
    } catch (error) {
      if (!(error instanceof Refused) || error.kind === 'unavailable') throw error
      this.#log.warn({ err: error, job: job.jobNumber }, 'a job cannot be published')
      this.#published.push(job.jobNumber)
    }
  }

  async #publish({ jobNumber, kind, request, traceparent }: UnpublishedJob): Promise<void> {
    const messages = (await this.#builders.get(kind)?.(jobNumber)) ?? [
      { id: jobNumber, content: Buffer.from(jobTask(jobNumber, kind, request)) },
    ]
    for (const { id, content } of messages)
      await this.#rabbitMq.publish({
        exchange: exchanges.jobs,
        routingKey: kind,
        content,
        messageId: id,
        type: kind,
        ...(traceparent !== null && { headers: { traceparent } }),
      })
    this.#published.push(jobNumber)
  }

  async #mark(): Promise<void> {
    const published = this.#published
    if (published.length === 0) return
    this.#published = []
    try {
      await this.#store.setPublished(published)
    } catch (error) {
      this.#published.push(...published)
      throw error
    }
  }
}
