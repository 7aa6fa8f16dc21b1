import amqp, { type Channel, type ChannelModel, type RecoveringChannelModel } from 'amqplib'
import type { Logger } from 'pino'

/** Wake-ups go to every replica, and only accelerate: whoever misses one finds out by its own look at the database. */
const wakeUps = 'manc.wakeups'

export interface WakeUp {
  type: string
  [member: string]: unknown
}

export class RabbitMq {
  readonly #url: string
  readonly #log: Logger
  readonly #listeners = new Map<string, (wakeUp: WakeUp) => void>()
  #connection: RecoveringChannelModel | undefined
  #channel: Channel | undefined

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
        setup: (model: ChannelModel) => this.#openChannel(model),
      },
    })
    connection.on('connect', () => this.#log.info('broker connected'))
    connection.on('disconnect', (error?: Error) => this.#log.warn({ err: error }, 'broker disconnected'))
    connection.on('error', (error: Error) => this.#log.warn({ err: error }, 'broker connection failed'))
    this.#connection = connection
  }

  onWakeUp(type: string, listener: (wakeUp: WakeUp) => void): void {
    this.#listeners.set(type, listener)
  }

  /** Best effort by design: see `wakeUps`. */
  wakeUp(message: WakeUp): void {
    this.#channel?.publish(wakeUps, '', Buffer.from(JSON.stringify(message)))
  }

  async ping(): Promise<void> {
    if (!this.#channel) throw new Error('not connected')
    await this.#channel.checkExchange(wakeUps)
  }

  async stop(): Promise<void> {
    this.#channel = undefined
    await this.#connection?.close()
  }

  async #openChannel(model: ChannelModel): Promise<void> {
    const channel = await model.createChannel()
    channel.on('error', (error) => this.#log.warn({ err: error }, 'broker channel failed'))
    channel.on('close', () => {
      if (this.#channel === channel) this.#channel = undefined
    })
    await channel.assertExchange(wakeUps, 'fanout', { durable: true })
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true })
    await channel.bindQueue(queue, wakeUps, '')
    await channel.consume(queue, (message) => message && this.#hear(message.content), { noAck: true })
    this.#channel = channel
  }

  #hear(content: Buffer): void {
    let message: WakeUp
    try {
      message = JSON.parse(content.toString('utf8'))
    } catch (error) {
      this.#log.warn({ err: error }, 'a wake-up could not be read')
      return
    }
    this.#listeners.get(message.type)?.(message)
  }
}
