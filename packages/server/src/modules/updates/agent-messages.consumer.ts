import { setTimeout as sleep } from 'node:timers/promises'
import { deadLetterKeys, exchanges, parseAgentRoutingKey, updatesQueue } from '@manc/contract'
import type { Logger } from 'pino'
import { databaseRefusal } from '../../engines/postgres.ts'
import type { Delivery, Inbox, RabbitMq, Subscriber } from '../../engines/rabbitmq/index.ts'
import { Refused } from '../../errors.ts'
import type { AgentMessageService } from './agent-messages.service.ts'

/** Many arrive at once after an outage, or after a command to many agents: they are handled in batches. */
const batchedTopics: ReadonlySet<string> = new Set(['status', 'result'])
const retryAfterMs = 1000

/** Consumes the messages that agents publish on `onboard`, `status` and `result`. */
export class AgentMessagesConsumer implements Subscriber {
  readonly queue = updatesQueue
  readonly prefetch = 500
  readonly #messages: AgentMessageService
  readonly #rabbitMq: RabbitMq
  readonly #log: Logger
  #inbox: Inbox | undefined
  #pending: Delivery[] = []
  #isRunning = false

  constructor(deps: { messages: AgentMessageService; rabbitMq: RabbitMq; log: Logger }) {
    this.#messages = deps.messages
    this.#rabbitMq = deps.rabbitMq
    this.#log = deps.log
  }

  start(): void {
    this.#rabbitMq.subscribe(this)
  }

  opened(inbox: Inbox): void {
    this.#inbox = inbox
    this.#pending = []
  }

  /** The broker redelivers unacknowledged messages on the next channel. */
  closed(): void {
    this.#inbox = undefined
    this.#pending = []
  }

  received(delivery: Delivery): void {
    this.#pending.push(delivery)
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run().finally(() => {
      this.#isRunning = false
    })
  }

  /** In the order of arrival: the later one of two configurations is stored last. */
  async #run(): Promise<void> {
    // By the next turn, all messages of the same packet are pending.
    await sleep(0)
    for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) {
      const inbox = this.#inbox
      try {
        await this.#handle(batch)
        if (this.#inbox !== inbox) continue
        this.#pending.splice(0, batch.length)
        inbox?.acknowledgeUpTo(batch.at(-1)?.tag ?? 0)
      } catch (error) {
        if (!isOutage(error) && this.#inbox === inbox && (await this.#handledSingly(batch, inbox))) continue
        this.#log.warn({ err: error }, 'a message of an agent could not be handled; retrying')
        await sleep(retryAfterMs)
      }
    }
  }

  /** One message of the batch fails although the engines work. It is dead-lettered, so that it cannot block the others. */
  async #handledSingly(batch: Delivery[], inbox: Inbox | undefined): Promise<boolean> {
    for (const delivery of batch) {
      try {
        await this.#handle([delivery])
      } catch (error) {
        if (isOutage(error)) return false
        this.#log.warn({ err: error, key: delivery.routingKey }, 'a message of an agent is dead-lettered')
        if (!(await this.#isDeadLettered(delivery))) return false
      }
      if (this.#inbox !== inbox) return false
      this.#pending.shift()
      inbox?.acknowledge(delivery.tag)
    }
    return true
  }

  async #isDeadLettered(delivery: Delivery): Promise<boolean> {
    try {
      await this.#deadLetter(delivery, 'it cannot be handled')
      return true
    } catch (error) {
      this.#log.warn({ err: error }, 'a message of an agent could not be dead-lettered; retrying')
      return false
    }
  }

  /** The first pending message, with those of the same topic that follow it. */
  #nextBatch(): Delivery[] {
    const [first] = this.#pending
    if (!first) return []
    const { topic } = keyOf(first)
    if (!batchedTopics.has(topic)) return [first]
    const end = this.#pending.findIndex((delivery) => keyOf(delivery).topic !== topic)
    return this.#pending.slice(0, end < 0 ? undefined : end)
  }

  async #handle(batch: Delivery[]): Promise<void> {
    const [first] = batch
    if (!first) return
    switch (keyOf(first).topic) {
      case 'status':
        return this.#messages.handleStatuses(batch.map(messageOf))
      case 'result':
        return this.#handleResults(batch)
      case 'onboard':
        return this.#handleOnboard(first)
      default:
        return this.#deadLetter(first, 'unknown topic')
    }
  }

  async #handleResults(batch: Delivery[]): Promise<void> {
    const hasChanged = await this.#messages.handleResults(batch.map(messageOf))
    for (const [n, delivery] of batch.entries())
      if (!hasChanged[n]) await this.#deadLetter(delivery, 'no pending command of this agent')
  }

  async #handleOnboard(delivery: Delivery): Promise<void> {
    try {
      await this.#messages.handleOnboard(messageOf(delivery))
    } catch (error) {
      if (isOutage(error) || !(error instanceof Refused)) throw error
      await this.#deadLetter(delivery, error.message)
    }
  }

  #deadLetter(delivery: Delivery, reason: string): Promise<void> {
    return this.#rabbitMq.publish({
      exchange: exchanges.deadLetters,
      routingKey: deadLetterKeys.updates,
      content: delivery.content,
      headers: { ap_id: keyOf(delivery).apId, reason },
    })
  }
}

/** An engine is down: the message can be handled later. */
const isOutage = (error: unknown): boolean =>
  databaseRefusal(error) !== undefined || (error instanceof Refused && error.kind === 'unavailable')

const keyOf = ({ routingKey }: Delivery) => parseAgentRoutingKey(routingKey)

const messageOf = (delivery: Delivery) => ({
  apId: keyOf(delivery).apId,
  text: delivery.content.toString('utf8'),
})
