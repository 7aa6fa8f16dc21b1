import type { Channel, ChannelModel } from 'amqplib'
import type { Logger } from 'pino'
import type { ManagedChannel } from './connection.ts'

/** Messages that wait in the broker for a busy process; beyond it the oldest are dropped: only the newest matter. */
const maxPending = 10_000

export interface TappedMessage {
  routingKey: string
  content: Buffer
}

/**
 * Copies of messages that pass through an exchange, for this process alone. Nothing is stored while the process is
 * disconnected, and the broker copies only messages with a bound key.
 */
export class ExchangeTap implements ManagedChannel {
  readonly name: string
  readonly #exchange: string
  readonly #received: (message: TappedMessage) => void
  readonly #log: Logger
  readonly #keys = new Set<string>()
  #open: { channel: Channel; queue: string } | undefined

  constructor(options: { exchange: string; received: (message: TappedMessage) => void; log: Logger }) {
    this.name = `tap of ${options.exchange}`
    this.#exchange = options.exchange
    this.#received = options.received
    this.#log = options.log
  }

  bind(key: string): void {
    this.#keys.add(key)
    this.#change((channel, queue) => channel.bindQueue(queue, this.#exchange, key))
  }

  unbind(key: string): void {
    this.#keys.delete(key)
    this.#change((channel, queue) => channel.unbindQueue(queue, this.#exchange, key))
  }

  create(model: ChannelModel): Promise<Channel> {
    return model.createChannel()
  }

  async setUp(channel: Channel): Promise<void> {
    const { queue } = await channel.assertQueue('', {
      exclusive: true,
      autoDelete: true,
      arguments: { 'x-max-length': maxPending, 'x-overflow': 'drop-head' },
    })
    this.#open = { channel, queue }
    for (const key of this.#keys) await channel.bindQueue(queue, this.#exchange, key)
    await channel.consume(
      queue,
      (message) => message && this.#take({ routingKey: message.fields.routingKey, content: message.content }),
      { noAck: true },
    )
  }

  closed(channel: Channel): void {
    if (this.#open?.channel === channel) this.#open = undefined
  }

  /** An exception here would close the channel for all keys. */
  #take(message: TappedMessage): void {
    try {
      this.#received(message)
    } catch (error) {
      this.#log.warn({ err: error, key: message.routingKey }, 'a tapped message could not be handled')
    }
  }

  /** Without a channel there is nothing to change: the next one is opened with all keys. */
  #change(change: (channel: Channel, queue: string) => Promise<unknown>): void {
    if (!this.#open) return
    change(this.#open.channel, this.#open.queue).catch((error: unknown) =>
      this.#log.debug({ err: error }, 'a binding could not be changed'),
    )
  }
}
