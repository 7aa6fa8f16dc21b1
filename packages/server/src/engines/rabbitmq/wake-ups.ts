import { exchanges } from '@manc/contract'
import type { Channel, ChannelModel } from 'amqplib'
import type { Logger } from 'pino'
import type { ManagedChannel } from './connection.ts'

const exchange = exchanges.wakeUps

export interface WakeUp {
  type: string
  [member: string]: unknown
}

/**
 * Notifications to every replica. They may be lost: a replica that misses one finds the change with its next poll of the
 * database.
 */
export class WakeUps implements ManagedChannel {
  readonly name = exchange
  readonly #log: Logger
  readonly #listeners = new Map<string, (wakeUp: WakeUp) => void>()
  #channel: Channel | undefined

  constructor(log: Logger) {
    this.#log = log
  }

  on(type: string, listener: (wakeUp: WakeUp) => void): void {
    this.#listeners.set(type, listener)
  }

  send(message: WakeUp): void {
    this.#channel?.publish(exchange, '', Buffer.from(JSON.stringify(message)))
  }

  /** Rejects where the broker does not answer on this channel. */
  async ping(): Promise<void> {
    if (!this.#channel) throw new Error('not connected')
    await this.#channel.checkExchange(exchange)
  }

  create(model: ChannelModel): Promise<Channel> {
    return model.createChannel()
  }

  async setUp(channel: Channel): Promise<void> {
    await channel.assertExchange(exchange, 'fanout', { durable: true })
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true })
    await channel.bindQueue(queue, exchange, '')
    await channel.consume(queue, (message) => message && this.#received(message.content), { noAck: true })
    this.#channel = channel
  }

  closed(channel: Channel): void {
    if (this.#channel === channel) this.stop()
  }

  stop(): void {
    this.#channel = undefined
  }

  #received(content: Buffer): void {
    const message = parse(content)
    if (!message) return this.#log.warn('a wake-up could not be parsed')
    this.#listeners.get(message.type)?.(message)
  }
}

function parse(content: Buffer): WakeUp | undefined {
  try {
    const message: unknown = JSON.parse(content.toString('utf8'))
    const isWakeUp =
      typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string'
    return isWakeUp ? (message as WakeUp) : undefined
  } catch {
    return undefined
  }
}
