import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { databaseRefusal } from '../engines/postgres.ts'
import type { Delivery, Inbox, RabbitMq, Subscriber } from '../engines/rabbitmq.ts'
import { Refused } from '../errors.ts'
import type { UpdateService } from './updates.service.ts'

/** What agents publish beside their samples: where they are, and whether they are there. */
export class UpdateConsumer implements Subscriber {
  readonly queue = 'manc.updates'
  readonly prefetch = 200
  readonly #updates: UpdateService
  readonly #rabbitMq: RabbitMq
  readonly #log: Logger
  #inbox: Inbox | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(parts: { updates: UpdateService; rabbitMq: RabbitMq; log: Logger }) {
    this.#updates = parts.updates
    this.#rabbitMq = parts.rabbitMq
    this.#log = parts.log
  }

  start(): void {
    this.#rabbitMq.subscribe(this)
  }

  opened(inbox: Inbox): void {
    this.#inbox = inbox
  }

  closed(): void {
    this.#inbox = undefined
  }

  /** One after the other: of two configurations the later one stays. */
  received(delivery: Delivery): void {
    const inbox = this.#inbox
    this.#last = this.#last.then(async () => {
      // What this channel does not get done before it ends is sent again on the next.
      while (this.#inbox === inbox && !(await this.#isDone(delivery, inbox))) await sleep(1000)
    })
  }

  async #isDone(delivery: Delivery, inbox: Inbox | undefined): Promise<boolean> {
    try {
      await this.#take(delivery)
      if (this.#inbox === inbox) inbox?.acknowledgeUpTo(delivery.tag)
      return true
    } catch (error) {
      this.#log.warn({ err: error }, 'an update could not be taken; trying again')
      return false
    }
  }

  async #take({ routingKey, content }: Delivery): Promise<void> {
    const [, apId = '', kind = ''] = routingKey.split('.')
    try {
      await this.#updates.heard(apId, kind, content.toString('utf8'))
    } catch (error) {
      if (databaseRefusal(error) || !(error instanceof Refused) || error.kind === 'unavailable') throw error
      await this.#setAside(apId, content, error.message)
    }
  }

  #setAside(apId: string, content: Buffer, reason: string): Promise<void> {
    return this.#rabbitMq.publish({
      exchange: 'manc.dead',
      routingKey: 'updates',
      content,
      headers: { ap_id: apId, reason },
    })
  }
}
