import type { Channel, ChannelModel } from 'amqplib'
import type { Logger } from 'pino'

/** What waits here while we are busy; beyond it the oldest goes, since only the newest is of interest. */
const mostWaiting = 10_000

export interface Tapped {
  routingKey: string
  content: Buffer
}

/**
 * Copies of messages that pass through an exchange, for this process alone: nothing is kept for it while it is away,
 * and the broker copies only what somebody wants at this moment.
 */
export class Tap {
  readonly #exchange: string
  readonly #received: (message: Tapped) => void
  readonly #log: Logger
  readonly #keys = new Set<string>()
  #open: { channel: Channel; queue: string } | undefined

  constructor(parts: { exchange: string; received: (message: Tapped) => void; log: Logger }) {
    this.#exchange = parts.exchange
    this.#received = parts.received
    this.#log = parts.log
  }

  bind(key: string): void {
    this.#keys.add(key)
    this.#tell((channel, queue) => channel.bindQueue(queue, this.#exchange, key))
  }

  unbind(key: string): void {
    this.#keys.delete(key)
    this.#tell((channel, queue) => channel.unbindQueue(queue, this.#exchange, key))
  }

  /** On a new connection; answers the channel, whose end is the caller's to notice. */
  async open(model: ChannelModel): Promise<Channel> {
    const channel = await model.createChannel()
    channel.on('close', () => {
      if (this.#open?.channel === channel) this.#open = undefined
    })
    channel.on('error', (error) => this.#log.warn({ err: error }, 'broker channel failed'))
    const { queue } = await channel.assertQueue('', {
      exclusive: true,
      autoDelete: true,
      arguments: { 'x-max-length': mostWaiting, 'x-overflow': 'drop-head' },
    })
    this.#open = { channel, queue }
    for (const key of this.#keys) await channel.bindQueue(queue, this.#exchange, key)
    await channel.consume(
      queue,
      (message) => message && this.#take({ routingKey: message.fields.routingKey, content: message.content }),
      { noAck: true },
    )
    return channel
  }

  /** What is thrown in here would end the channel, and with it everybody's copies. */
  #take(message: Tapped): void {
    try {
      this.#received(message)
    } catch (error) {
      this.#log.warn({ err: error, key: message.routingKey }, 'a copy could not be handed on')
    }
  }

  /** Without a connection there is nothing to tell: the next one is told everything. */
  #tell(change: (channel: Channel, queue: string) => Promise<unknown>): void {
    if (!this.#open) return
    change(this.#open.channel, this.#open.queue).catch((error: unknown) =>
      this.#log.debug({ err: error }, 'a binding could not be changed'),
    )
  }
}
