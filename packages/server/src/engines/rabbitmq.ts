import { randomUUID } from 'node:crypto'
import amqp, {
  type Channel,
  type ChannelModel,
  type ConfirmChannel,
  type ConsumeMessage,
  type RecoveringChannelModel,
} from 'amqplib'
import type { Logger } from 'pino'
import { Refused, unavailable } from '../errors.ts'
import { Tap, type Tapped } from './rabbitmq.tap.ts'

export type { Tap, Tapped }

/** Wake-ups go to every replica, and only accelerate: whoever misses one finds out by its own look at the database. */
const wakeUps = 'manc.wakeups'

export interface WakeUp {
  type: string
  [member: string]: unknown
}

export interface Message {
  exchange: string
  routingKey: string
  content: Buffer
  headers?: Record<string, string>
  /** Dropped by the broker where nobody has taken it by then. */
  expiresInMs?: number
  messageId?: string
  type?: string
}

export interface Delivery {
  tag: number
  routingKey: string
  content: Buffer
  headers?: Record<string, unknown> | undefined
}

/** One life of a subscription. When its channel ends, everything that was not acknowledged comes again on the next. */
export interface Inbox {
  /** Acknowledges this delivery alone. */
  acknowledge(tag: number): void
  /** Acknowledges this delivery and all before it. */
  acknowledgeUpTo(tag: number): void
  /** Takes no more for now; what is on its way still comes. */
  pause(): void
  resume(): void
}

export interface Subscriber {
  queue: string
  prefetch: number
  opened(inbox: Inbox): void
  received(delivery: Delivery): void
  closed(): void
}

/** Nobody is there to take a message. */
export class Unroutable extends Refused {
  constructor(routingKey: string) {
    super('unavailable', 'The broker has no queue for this. Try again shortly.', {
      retryAfterS: 1,
      cause: new Error(`no queue is bound for ${routingKey}`),
    })
  }
}

/** More than this under way means that the broker has stopped answering: say so instead of piling up. */
const mostUnconfirmed = 20_000
const mostUnconfirmedBytes = 64 * 1024 * 1024
const reopenAfterMs = 1000
/** As the broker is set up (`max_message_size`). */
export const largestMessage = 1_048_576

export class RabbitMq {
  readonly #url: string
  readonly #log: Logger
  readonly #listeners = new Map<string, (wakeUp: WakeUp) => void>()
  readonly #subscribers: Subscriber[] = []
  readonly #taps: Tap[] = []
  readonly #returned = new Set<string>()
  #connection: RecoveringChannelModel | undefined
  #model: ChannelModel | undefined
  #wakeUpChannel: Channel | undefined
  #publishing: ConfirmChannel | undefined
  #unconfirmed = 0
  #unconfirmedBytes = 0
  #published = 0

  constructor(options: { url: string; log: Logger }) {
    this.#url = options.url
    this.#log = options.log
  }

  /** Returns at once: with the broker down the process starts all the same, and connects when it is back. */
  async start(): Promise<void> {
    const connection = await amqp.connect(this.#url, {
      clientProperties: { connection_name: 'manc-server' },
      timeout: 5000,
      recovery: {
        initialDelay: 200,
        maxDelay: 2000,
        maxRetries: Number.POSITIVE_INFINITY,
        waitForConnect: false,
        setup: (model: ChannelModel) => this.#connected(model),
      },
    })
    let reachable = true
    connection.on('connect', () => {
      reachable = true
      this.#log.info('broker connected')
    })
    connection.on('connect-failed', (error: Error) => {
      // Once an outage, not once an attempt.
      if (reachable) this.#log.warn({ err: error }, 'the broker cannot be reached; going on trying')
      reachable = false
    })
    connection.on('disconnect', (error?: Error) => {
      this.#model = undefined
      this.#log.warn({ err: error }, 'broker disconnected')
    })
    connection.on('error', (error: Error) => this.#log.warn({ err: error }, 'broker connection failed'))
    this.#connection = connection
  }

  onWakeUp(type: string, listener: (wakeUp: WakeUp) => void): void {
    this.#listeners.set(type, listener)
  }

  /** Best effort by design: see `wakeUps`. */
  wakeUp(message: WakeUp): void {
    this.#wakeUpChannel?.publish(wakeUps, '', Buffer.from(JSON.stringify(message)))
  }

  /** Resolves when the message is in a queue that survives a crash of the broker, and rejects otherwise. */
  async publish(message: Message): Promise<void> {
    // The broker would close the channel for it, and with it fail everybody else's.
    if (message.content.length > largestMessage)
      throw new Refused('bad-request', 'This is larger than a message may be (1 MiB). Send less at once.')
    const channel = this.#publishing
    if (!channel || this.#unconfirmed >= mostUnconfirmed || this.#unconfirmedBytes >= mostUnconfirmedBytes)
      throw unavailable('The broker')
    const messageId = message.messageId ?? String(++this.#published)
    this.#unconfirmed += 1
    this.#unconfirmedBytes += message.content.length
    try {
      await new Promise<void>((resolve, reject) => {
        channel.publish(
          message.exchange,
          message.routingKey,
          message.content,
          {
            persistent: true,
            mandatory: true,
            messageId,
            headers: message.headers,
            ...(message.expiresInMs !== undefined && { expiration: String(message.expiresInMs) }),
            ...(message.type !== undefined && { type: message.type }),
            timestamp: Math.floor(Date.now() / 1000),
          },
          (error: unknown) => (error ? reject(unavailable('The broker', error)) : resolve()),
        )
      })
    } finally {
      this.#unconfirmed -= 1
      this.#unconfirmedBytes -= message.content.length
    }
    // A message that no queue takes is confirmed too, after it was returned.
    if (this.#returned.delete(messageId)) throw new Unroutable(message.routingKey)
  }

  /** Consumes a queue until the process stops, through every reconnection. */
  subscribe(subscriber: Subscriber): void {
    this.#subscribers.push(subscriber)
    const model = this.#model
    if (model) this.#begin(model, subscriber)
  }

  /** Copies of what passes through an exchange, under keys that are bound as they are wanted. */
  tap(exchange: string, received: (message: Tapped) => void): Tap {
    const tap = new Tap({ exchange, received, log: this.#log })
    this.#taps.push(tap)
    return tap
  }

  async ping(): Promise<void> {
    if (!this.#wakeUpChannel) throw new Error('not connected')
    await this.#wakeUpChannel.checkExchange(wakeUps)
  }

  async stop(): Promise<void> {
    this.#wakeUpChannel = undefined
    this.#publishing = undefined
    this.#model = undefined
    await this.#connection?.close()
  }

  async #connected(model: ChannelModel): Promise<void> {
    this.#model = model
    await this.#openWakeUps(model)
    await this.#openPublishing(model)
    for (const subscriber of this.#subscribers) this.#begin(model, subscriber)
    for (const tap of this.#taps) await this.#openTap(model, tap)
  }

  async #openTap(model: ChannelModel, tap: Tap): Promise<void> {
    const channel = await tap.open(model)
    channel.on('close', () => this.#again(model, () => this.#openTap(model, tap)))
  }

  #begin(model: ChannelModel, subscriber: Subscriber): void {
    this.#consume(model, subscriber).catch((error: unknown) => {
      this.#log.warn({ err: error }, `consuming ${subscriber.queue} failed`)
      this.#again(model, () => this.#consume(model, subscriber))
    })
  }

  async #openWakeUps(model: ChannelModel): Promise<void> {
    const channel = await model.createChannel()
    channel.on('error', (error) => this.#log.warn({ err: error }, 'broker channel failed'))
    channel.on('close', () => {
      if (this.#wakeUpChannel === channel) this.#wakeUpChannel = undefined
      this.#again(model, () => this.#openWakeUps(model))
    })
    await channel.assertExchange(wakeUps, 'fanout', { durable: true })
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true })
    await channel.bindQueue(queue, wakeUps, '')
    await channel.consume(queue, (message) => message && this.#hear(message.content), { noAck: true })
    this.#wakeUpChannel = channel
  }

  async #openPublishing(model: ChannelModel): Promise<void> {
    const channel = await model.createConfirmChannel()
    channel.on('error', (error) => this.#log.warn({ err: error }, 'broker channel failed'))
    channel.on('close', () => {
      if (this.#publishing === channel) this.#publishing = undefined
      // An exchange that is not there closes the channel: the connection lives on, and so must publishing.
      this.#again(model, () => this.#openPublishing(model))
    })
    channel.on('return', (message) => this.#returned.add(String(message.properties.messageId)))
    this.#publishing = channel
  }

  /** Opens a channel anew that was closed while its connection lives on. */
  #again(model: ChannelModel, open: () => Promise<void>): void {
    if (this.#model !== model) return
    const timer = setTimeout(() => {
      if (this.#model !== model) return
      open().catch((error: unknown) => {
        this.#log.warn({ err: error }, 'broker channel could not be opened')
        this.#again(model, open)
      })
    }, reopenAfterMs)
    timer.unref()
  }

  async #consume(model: ChannelModel, subscriber: Subscriber): Promise<void> {
    const channel = await model.createChannel()
    const reported = (error: unknown) =>
      this.#log.warn({ err: error }, `consuming ${subscriber.queue} failed`)
    channel.on('error', reported)
    channel.on('close', () => {
      subscriber.closed()
      this.#again(model, () => this.#consume(model, subscriber))
    })
    await channel.prefetch(subscriber.prefetch)
    const consumerTag = `manc-${randomUUID()}`
    const take = () =>
      channel.consume(
        subscriber.queue,
        (message) => {
          // Null: the broker has cancelled us, for example because the queue was deleted.
          if (!message) return void channel.close().catch(reported)
          const { deliveryTag: tag, routingKey } = message.fields
          const { headers } = message.properties
          subscriber.received({ tag, routingKey, headers, content: message.content })
        },
        { consumerTag },
      )
    subscriber.opened({
      acknowledge: (tag) => channel.ack({ fields: { deliveryTag: tag } } as ConsumeMessage),
      acknowledgeUpTo: (tag) => channel.ack({ fields: { deliveryTag: tag } } as ConsumeMessage, true),
      pause: () => void channel.cancel(consumerTag).catch(reported),
      resume: () => void take().catch(reported),
    })
    // A queue that is not there closes the channel, which is tried again like any other that closes.
    await take().catch(reported)
  }

  #hear(content: Buffer): void {
    const message = wakeUpOf(content)
    if (!message) return this.#log.warn('a wake-up could not be read')
    this.#listeners.get(message.type)?.(message)
  }
}

function wakeUpOf(content: Buffer): WakeUp | undefined {
  try {
    const message: unknown = JSON.parse(content.toString('utf8'))
    const isOne =
      typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string'
    return isOne ? (message as WakeUp) : undefined
  } catch {
    return undefined
  }
}
