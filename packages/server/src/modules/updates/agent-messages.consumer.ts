import { setTimeout as sleep } from 'node:timers/promises'
import { deadLetterKeys, exchanges, parseAgentRoutingKey, receivedAtHeader } from '@manc/contract'
import type { Logger } from 'pino'
import { databaseRefusal } from '../../engines/postgres.ts'
import type { Delivery, Inbox, RabbitMq, Subscriber } from '../../engines/rabbitmq/index.ts'
import { Refused } from '../../errors.ts'
import type { AgentRates } from '../agent-limits/index.ts'
import type { RejectedSamplesService } from '../ingest/index.ts'
import type { AgentMessageService } from './agent-messages.service.ts'

interface Deps {
  queue: string
  messages: AgentMessageService
  rates: AgentRates
  rejected: Pick<RejectedSamplesService, 'record'>
  rabbitMq: RabbitMq
  /** Whether this message has a copy in another queue, which is consumed. */
  isCopy: (topic: string) => boolean
  isDatabaseUp: () => Promise<boolean>
  log: Logger
}

/** After an outage a whole fleet onboards at once. Of the connections to the database others are left. */
const concurrentOnboards = 5
const retryAfterMs = 1000
/** Of messages that are handled together, which are in memory as text too. */
const maxBatchBytes = 8 * 1024 * 1024
/** Of a message that is dead-lettered: its beginning shows what is wrong. */
const maxDeadLetterBytes = 64 * 1024
/** After this many failures while the database responds, the cause is taken to be a message. */
const maxFailures = 3

/** Consumes the messages that agents publish on `onboard`, `status`, `result` and `clients`. */
export class AgentMessagesConsumer implements Subscriber {
  readonly queue: string
  readonly prefetch = 500
  readonly #deps: Deps
  #inbox: Inbox | undefined
  #pending: Delivery[] = []
  #isRunning = false

  constructor(deps: Deps) {
    this.#deps = deps
    this.queue = deps.queue
  }

  start(): void {
    this.#deps.rabbitMq.subscribe(this)
  }

  /** Whether the queue exists and is consumed. */
  get isOpen(): boolean {
    return this.#inbox !== undefined
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
    const { apId, topic } = keyOf(delivery)
    if (this.#deps.isCopy(topic)) return this.#inbox?.acknowledge(delivery.tag)
    const isAccepted =
      this.#deps.rates.accept(apId, 'messages', 1) &&
      this.#deps.rates.accept(apId, 'bytes', delivery.content.length)
    if (!isAccepted) {
      this.#deps.rejected.record(apId, 'messages beyond the limit', 1)
      return this.#inbox?.acknowledge(delivery.tag)
    }
    this.#pending.push(delivery)
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run().finally(() => {
      this.#isRunning = false
    })
  }

  async #run(): Promise<void> {
    // By the next turn, all messages of the same packet are pending.
    await sleep(0)
    let failures = 0
    for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) {
      const inbox = this.#inbox
      try {
        await this.#handle(batch)
        this.#acknowledge(batch, inbox)
        failures = 0
      } catch (error) {
        failures += 1
        if ((await this.#isFaulty(error, failures)) && (await this.#handledSingly(batch, inbox))) {
          failures = 0
          continue
        }
        this.#deps.log.warn({ err: error }, 'a message of an agent could not be handled; retrying')
        await sleep(retryAfterMs)
      }
    }
  }

  /** Whether a message of the batch is the cause of a failure, and not an engine that is down. */
  async #isFaulty(error: unknown, failures: number): Promise<boolean> {
    return !isOutage(error) || (failures >= maxFailures && (await this.#deps.isDatabaseUp()))
  }

  /** Dead-letters the message that fails, so that it cannot block the others. */
  async #handledSingly(batch: Delivery[], inbox: Inbox | undefined): Promise<boolean> {
    for (const delivery of batch) {
      if (this.#inbox !== inbox) return false
      try {
        await this.#handle([delivery])
      } catch (error) {
        if (isOutage(error) && !(await this.#deps.isDatabaseUp())) return false
        this.#deps.log.warn(
          { err: error, key: delivery.routingKey },
          'a message of an agent cannot be handled and is dead-lettered',
        )
        if (!(await this.#isDeadLettered(delivery))) return false
      }
      this.#acknowledge([delivery], inbox)
    }
    return true
  }

  async #isDeadLettered(delivery: Delivery): Promise<boolean> {
    try {
      await this.#deadLetter(delivery, 'it cannot be handled')
      return true
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'a message of an agent could not be dead-lettered; retrying')
      return false
    }
  }

  #acknowledge(batch: readonly Delivery[], inbox: Inbox | undefined): void {
    if (this.#inbox !== inbox) return
    const handled = new Set(batch)
    this.#pending = this.#pending.filter((delivery) => !handled.has(delivery))
    for (const { tag } of batch) inbox?.acknowledge(tag)
  }

  /** The pending messages of one topic, in the order of arrival. Many arrive at once after an outage. */
  #nextBatch(): Delivery[] {
    const [first] = this.#pending
    if (!first) return []
    const { topic } = keyOf(first)
    const ofTopic = this.#pending.filter((delivery) => keyOf(delivery).topic === topic)
    let bytes = 0
    const end = ofTopic.findIndex((delivery) => (bytes += delivery.content.length) > maxBatchBytes)
    return end < 0 ? ofTopic : ofTopic.slice(0, Math.max(1, end))
  }

  async #handle(batch: readonly Delivery[]): Promise<void> {
    const [first] = batch
    if (!first) return
    switch (keyOf(first).topic) {
      case 'status':
        return this.#deps.messages.handleStatuses(batch.map(messageOf))
      case 'clients':
        return this.#deps.messages.handleClients(batch.map(messageOf))
      case 'result':
        return this.#handleResults(batch)
      case 'onboard':
        return this.#handleOnboards(batch)
      default:
        for (const delivery of batch) await this.#deadLetter(delivery, 'unknown topic')
    }
  }

  async #handleResults(batch: readonly Delivery[]): Promise<void> {
    const hasChanged = await this.#deps.messages.handleResults(batch.map(messageOf))
    // Together: one after the other, many of them would delay the results of other agents.
    await Promise.all(
      batch
        .filter((_, n) => !hasChanged[n])
        .map((delivery) => this.#deadLetter(delivery, 'no pending command of this agent')),
    )
  }

  /** Of several configurations of one agent only the newest is stored. */
  async #handleOnboards(batch: readonly Delivery[]): Promise<void> {
    const newest = [...new Map(batch.map((delivery) => [keyOf(delivery).apId, delivery])).values()]
    for (let start = 0; start < newest.length; start += concurrentOnboards) {
      const group = newest.slice(start, start + concurrentOnboards)
      // All have ended before one of them is retried.
      const outcomes = await Promise.allSettled(group.map((delivery) => this.#handleOnboard(delivery)))
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    }
  }

  async #handleOnboard(delivery: Delivery): Promise<void> {
    try {
      await this.#deps.messages.handleOnboard(messageOf(delivery))
    } catch (error) {
      if (isOutage(error) || !(error instanceof Refused)) throw error
      // It will send its configuration again when it connects after the pause.
      if (error.kind === 'too-many') this.#deps.rates.suspend(keyOf(delivery).apId, error.message)
      await this.#deadLetter(delivery, error.message)
    }
  }

  #deadLetter(delivery: Delivery, reason: string): Promise<void> {
    return this.#deps.rabbitMq.publish({
      exchange: exchanges.deadLetters,
      routingKey: deadLetterKeys.updates,
      content: delivery.content.subarray(0, maxDeadLetterBytes),
      headers: { ap_id: keyOf(delivery).apId, reason, bytes: String(delivery.content.length) },
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
  receivedMs: receivedMsOf(delivery),
})

/** An old broker does not add it. */
function receivedMsOf({ headers }: Delivery): number {
  const receivedMs = Number(headers?.[receivedAtHeader])
  return receivedMs > 0 ? receivedMs : Date.now()
}
