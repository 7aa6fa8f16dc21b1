import { setTimeout as sleep } from 'node:timers/promises'
import { deadLetterKeys, exchanges, parseAgentRoutingKey, updatesQueue } from '@manc/contract'
import type { Logger } from 'pino'
import { databaseRefusal } from '../../engines/postgres.ts'
import type { Delivery, Inbox, RabbitMq, Subscriber } from '../../engines/rabbitmq/index.ts'
import { Refused } from '../../errors.ts'
import type { UpdateService } from './updates.service.ts'

/** What agents publish beside their samples: where they are, and whether they are there. */
export class UpdateConsumer implements Subscriber {
  readonly queue = updatesQueue
  readonly prefetch = 500
  readonly #updates: UpdateService
  readonly #rabbitMq: RabbitMq
  readonly #log: Logger
  #inbox: Inbox | undefined
  #waiting: Delivery[] = []
  #isBusy = false

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
    this.#waiting = []
  }

  /** What this channel did not get done is sent again on the next. */
  closed(): void {
    this.#inbox = undefined
    this.#waiting = []
  }

  received(delivery: Delivery): void {
    this.#waiting.push(delivery)
    if (this.#isBusy) return
    this.#isBusy = true
    void this.#work().finally(() => {
      this.#isBusy = false
    })
  }

  /** In the order in which they came: of two configurations the later one stays. Those that are many are taken together. */
  async #work(): Promise<void> {
    // Those that came in the same packet are waiting by the next turn.
    await sleep(0)
    for (let next = this.#next(); next.length > 0; next = this.#next()) {
      const inbox = this.#inbox
      try {
        await this.#take(next)
        if (this.#inbox !== inbox) continue
        this.#waiting.splice(0, next.length)
        inbox?.acknowledgeUpTo(next.at(-1)?.tag ?? 0)
      } catch (error) {
        if (!isOutage(error) && this.#inbox === inbox && (await this.#hasTakenSingly(next, inbox))) continue
        this.#log.warn({ err: error }, 'an update could not be taken; trying again')
        await sleep(1000)
      }
    }
  }

  /** One of them is bad, and not for want of an engine: the others must not wait for it, and it must not come back. */
  async #hasTakenSingly(deliveries: Delivery[], inbox: Inbox | undefined): Promise<boolean> {
    for (const delivery of deliveries) {
      try {
        await this.#take([delivery])
      } catch (error) {
        if (isOutage(error)) return false
        this.#log.warn({ err: error, key: delivery.routingKey }, 'an update that cannot be used is set aside')
        if (!(await this.#hasSetAside(delivery))) return false
      }
      if (this.#inbox !== inbox) return false
      this.#waiting.shift()
      inbox?.acknowledge(delivery.tag)
    }
    return true
  }

  async #hasSetAside({ routingKey, content }: Delivery): Promise<boolean> {
    try {
      await this.#setAside(parseAgentRoutingKey(routingKey).apId, content, 'it cannot be used')
      return true
    } catch (error) {
      this.#log.warn({ err: error }, 'an update could not be set aside; trying again')
      return false
    }
  }

  /** The first, with those of the same kind that follow it. */
  #next(): Delivery[] {
    const [first] = this.#waiting
    if (!first) return []
    const { topic } = parseAgentRoutingKey(first.routingKey)
    if (!together.has(topic)) return [first]
    const others = this.#waiting.findIndex(
      ({ routingKey }) => parseAgentRoutingKey(routingKey).topic !== topic,
    )
    return this.#waiting.slice(0, others < 0 ? undefined : others)
  }

  async #take(deliveries: Delivery[]): Promise<void> {
    const [first] = deliveries
    if (!first) return
    const { topic } = parseAgentRoutingKey(first.routingKey)
    if (!together.has(topic)) return this.#takeOne(first)
    const messages = deliveries.map(({ routingKey, content }) => ({
      apId: parseAgentRoutingKey(routingKey).apId,
      text: content.toString('utf8'),
    }))
    if (topic === 'status') return this.#updates.heardStatuses(messages)
    const isNews = await this.#updates.heardResults(messages)
    for (const [n, { content, routingKey }] of deliveries.entries())
      if (!isNews[n])
        await this.#setAside(
          parseAgentRoutingKey(routingKey).apId,
          content,
          'no news of a command of this agent',
        )
  }

  async #takeOne({ routingKey, content }: Delivery): Promise<void> {
    const { apId, topic } = parseAgentRoutingKey(routingKey)
    try {
      await this.#updates.heard(apId, topic, content.toString('utf8'))
    } catch (error) {
      if (isOutage(error) || !(error instanceof Refused)) throw error
      await this.#setAside(apId, content, error.message)
    }
  }

  #setAside(apId: string, content: Buffer, reason: string): Promise<void> {
    return this.#rabbitMq.publish({
      exchange: exchanges.deadLetters,
      routingKey: deadLetterKeys.updates,
      content,
      headers: { ap_id: apId, reason },
    })
  }
}

/** An engine is away: later it will do. */
const isOutage = (error: unknown): boolean =>
  databaseRefusal(error) !== undefined || (error instanceof Refused && error.kind === 'unavailable')

/** After an outage, or a command to many, thousands of these come at once. */
const together: ReadonlySet<string> = new Set(['status', 'result'])
