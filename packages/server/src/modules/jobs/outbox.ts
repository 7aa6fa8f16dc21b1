import { exchanges, type JobKind, jobTask } from '@manc/contract'
import type { Logger } from 'pino'
import type { RabbitMq } from '../../engines/rabbitmq/index.ts'
import { Refused } from '../../errors.ts'
import { Loop } from '../../loop.ts'
import type { JobStore } from './jobs.store.ts'

interface Message {
  jobNumber: string
  kind: JobKind
  /** JSON text. */
  request: string
}

/** The messages that tell of a job. */
export type MessageMaker = (jobNumber: string) => Promise<{ id: string; content: Buffer }[]>

const lookEveryMs = 1000
const piece = 500

/**
 * Tells the broker of jobs. What was told is noted in batches; what could not be told is found in the database and told
 * later. A job that is told twice is done once: the lease on its row decides.
 */
export class Outbox {
  readonly #store: JobStore
  readonly #rabbitMq: RabbitMq
  readonly #log: Logger
  readonly #loop: Loop
  readonly #makers = new Map<JobKind, MessageMaker>()
  #told: string[] = []

  constructor(parts: { store: JobStore; rabbitMq: RabbitMq; log: Logger }) {
    this.#store = parts.store
    this.#rabbitMq = parts.rabbitMq
    this.#log = parts.log
    this.#loop = new Loop({
      name: 'telling the broker of jobs',
      everyMs: lookEveryMs,
      log: parts.log,
      round: () => this.#look(),
    })
  }

  /** For jobs that are told of in messages of their own, which may hold what no table does. */
  madeBy(kind: JobKind, maker: MessageMaker): void {
    this.#makers.set(kind, maker)
  }

  start(): void {
    this.#loop.start()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
    await this.#note()
  }

  /** Right away; where that fails, the next look finds it. */
  send(message: Message): void {
    this.#publish(message).catch(() => {})
  }

  async #look(): Promise<void> {
    await this.#note()
    for (const message of await this.#store.unpublished(piece)) await this.#publishOrLeave(message)
    await this.#note()
  }

  /** One that no message can hold is left to those who look at the rows; the others must not wait for it. */
  async #publishOrLeave(message: Message): Promise<void> {
    try {
      await this.#publish(message)
    } catch (error) {
      if (!(error instanceof Refused) || error.kind === 'unavailable') throw error
      this.#log.warn({ err: error, job: message.jobNumber }, 'a job cannot be told of')
      this.#told.push(message.jobNumber)
    }
  }

  async #publish({ jobNumber, kind, request }: Message): Promise<void> {
    const messages = (await this.#makers.get(kind)?.(jobNumber)) ?? [
      { id: jobNumber, content: Buffer.from(jobTask(jobNumber, kind, request)) },
    ]
    for (const { id, content } of messages)
      await this.#rabbitMq.publish({
        exchange: exchanges.jobs,
        routingKey: kind,
        content,
        messageId: id,
        type: kind,
      })
    this.#told.push(jobNumber)
  }

  async #note(): Promise<void> {
    const told = this.#told
    if (told.length === 0) return
    this.#told = []
    try {
      await this.#store.setPublished(told)
    } catch (error) {
      this.#told.push(...told)
      throw error
    }
  }
}
