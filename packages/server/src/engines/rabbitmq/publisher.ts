import { exchanges, maxMessageBytes } from '@manc/contract'
import type { ChannelModel, ConfirmChannel } from 'amqplib'
import { Refused, unavailable } from '../../errors.ts'
import type { Metrics } from '../../metrics.ts'
import type { ManagedChannel } from './connection.ts'

export interface Message {
  exchange: string
  routingKey: string
  content: Buffer
  headers?: Record<string, string>
  /** The broker drops the message when it was not consumed by then. */
  expiresInMs?: number
  messageId?: string
  type?: string
  /** Must be the user of this connection: consumers can tell that this server has published the message. */
  userId?: string
}

/** No queue is bound for the message. */
export class Unroutable extends Refused {
  constructor(routingKey: string) {
    super('unavailable', 'The broker has no queue for this. Try again shortly.', {
      retryAfterS: 1,
      cause: new Error(`no queue is bound for ${routingKey}`),
    })
  }
}

/** With more than this unconfirmed, the broker has stopped answering: refuse instead of buffering. */
const maxUnconfirmed = 20_000
const maxUnconfirmedBytes = 64 * 1024 * 1024
/** A broker without a quorum, or with a memory or disk alarm, confirms nothing and reports nothing. */
const confirmWithinMs = 10_000

/** Publishes with confirms. */
export class Publisher implements ManagedChannel<ConfirmChannel> {
  readonly name = 'publishing'
  readonly #returned = new Set<string>()
  #channel: ConfirmChannel | undefined
  #unconfirmed = 0
  #unconfirmedBytes = 0
  #published = 0
  readonly #count: (labels: { exchange: string; outcome: 'confirmed' | 'failed' }) => void

  constructor(metrics: Metrics) {
    this.#count = metrics.counter({
      name: 'manc_rabbitmq_published_total',
      help: 'Messages published to RabbitMQ, by exchange and outcome',
      labels: ['exchange', 'outcome'],
      initial: [{ exchange: exchanges.deadLetters, outcome: 'confirmed' }],
    })
    metrics.gauge({
      name: 'manc_rabbitmq_unconfirmed_messages',
      help: 'Published messages that RabbitMQ has not confirmed yet',
      read: () => [{ labels: {}, value: this.#unconfirmed }],
    })
  }

  /** Resolves when the message is in a queue that survives a crash of the broker, and rejects otherwise. */
  async publish(message: Message): Promise<void> {
    // The broker would close the channel, and so fail all other unconfirmed messages.
    if (message.content.length > maxMessageBytes)
      throw new Refused('bad-request', 'This is larger than a message may be (1 MiB). Send less at once.')
    const channel = this.#channel
    if (!channel || this.#unconfirmed >= maxUnconfirmed || this.#unconfirmedBytes >= maxUnconfirmedBytes)
      throw unavailable('The broker')
    const messageId = message.messageId ?? String(++this.#published)
    this.#unconfirmed += 1
    this.#unconfirmedBytes += message.content.length
    const confirmed = this.#confirmed(channel, message, messageId).finally(() => {
      // Not before: a message that the broker holds back still takes memory here.
      this.#unconfirmed -= 1
      this.#unconfirmedBytes -= message.content.length
    })
    try {
      await withinDeadline(confirmed)
      this.#count({ exchange: message.exchange, outcome: 'confirmed' })
    } catch (error) {
      const outcome = error instanceof Unroutable ? 'confirmed' : 'failed'
      this.#count({ exchange: message.exchange, outcome })
      throw error
    }
  }

  async #confirmed(channel: ConfirmChannel, message: Message, messageId: string): Promise<void> {
    await publishConfirmed(channel, message, messageId)
    // The broker returns an unroutable message first, and then confirms it as well.
    if (this.#returned.delete(messageId)) throw new Unroutable(message.routingKey)
  }

  create(model: ChannelModel): Promise<ConfirmChannel> {
    return model.createConfirmChannel()
  }

  setUp(channel: ConfirmChannel): void {
    channel.on('return', (message) => this.#returned.add(String(message.properties.messageId)))
    this.#channel = channel
  }

  closed(channel: ConfirmChannel): void {
    if (this.#channel === channel) this.stop()
  }

  stop(): void {
    this.#channel = undefined
  }
}

function publishConfirmed(channel: ConfirmChannel, message: Message, messageId: string): Promise<void> {
  const { exchange, routingKey, content, headers, expiresInMs, type, userId } = message
  const properties = {
    persistent: true,
    mandatory: true,
    messageId,
    headers,
    ...(expiresInMs !== undefined && { expiration: String(expiresInMs) }),
    ...(type !== undefined && { type }),
    ...(userId !== undefined && { userId }),
    timestamp: Math.floor(Date.now() / 1000),
  }
  return new Promise((resolve, reject) => {
    channel.publish(exchange, routingKey, content, properties, (error: unknown) =>
      error ? reject(unavailable('The broker', error)) : resolve(),
    )
  })
}

/** Later the message may still be stored: what is sent again is stored twice, and consumers expect that. */
async function withinDeadline(confirmed: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(unavailable('The broker', new Error(`no confirm within ${confirmWithinMs} ms`))),
      confirmWithinMs,
    )
  })
  try {
    await Promise.race([confirmed, deadline])
  } finally {
    clearTimeout(timer)
  }
}
