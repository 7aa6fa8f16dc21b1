import { randomUUID } from 'node:crypto'
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib'
import type { Logger } from 'pino'
import type { ManagedChannel } from './connection.ts'

export interface Delivery {
  tag: number
  routingKey: string
  content: Buffer
  /** Anyone who publishes can set them, also over MQTT 5. */
  headers?: Record<string, unknown> | undefined
  /** The user that published it, if the publisher has set it. The broker verifies it; MQTT cannot set it. */
  userId?: string | undefined
}

/** A subscription on one channel. When the channel closes, unacknowledged deliveries come again on the next. */
export interface Inbox {
  /** Acknowledges this delivery alone. */
  acknowledge(tag: number): void
  /** Acknowledges this delivery and all before it. */
  acknowledgeUpTo(tag: number): void
  /** Stops consuming; deliveries that were sent already still arrive. */
  pause(): void
  resume(): void
  /** Closes the channel. Unacknowledged deliveries come again on the next one. */
  reopen(): void
}

export interface Subscriber {
  queue: string
  prefetch: number
  opened(inbox: Inbox): void
  received(delivery: Delivery): void
  closed(): void
}

/** Consumes one queue for a subscriber. */
export class Consumer implements ManagedChannel {
  readonly name: string
  readonly #subscriber: Subscriber
  readonly #log: Logger

  constructor(subscriber: Subscriber, log: Logger) {
    this.name = subscriber.queue
    this.#subscriber = subscriber
    this.#log = log
  }

  create(model: ChannelModel): Promise<Channel> {
    return model.createChannel()
  }

  async setUp(channel: Channel): Promise<void> {
    const { queue, prefetch } = this.#subscriber
    const failed = (error: unknown) => this.#log.warn({ err: error }, `consuming ${queue} failed`)
    await channel.prefetch(prefetch)
    const consumerTag = `manc-${randomUUID()}`
    const consume = () =>
      channel.consume(
        queue,
        // Null: the broker has cancelled the consumer, for example because the queue was deleted.
        (message) => (message ? this.#received(message) : void channel.close().catch(failed)),
        { consumerTag },
      )
    this.#subscriber.opened({
      acknowledge: (tag) => channel.ack({ fields: { deliveryTag: tag } } as ConsumeMessage),
      acknowledgeUpTo: (tag) => channel.ack({ fields: { deliveryTag: tag } } as ConsumeMessage, true),
      pause: () => void channel.cancel(consumerTag).catch(failed),
      resume: () => void consume().catch(failed),
      reopen: () => void channel.close().catch(failed),
    })
    await consume()
  }

  closed(): void {
    this.#subscriber.closed()
  }

  #received({ fields, properties, content }: ConsumeMessage): void {
    const { deliveryTag: tag, routingKey } = fields
    this.#subscriber.received({
      tag,
      routingKey,
      headers: properties.headers,
      userId: properties.userId,
      content,
    })
  }
}
