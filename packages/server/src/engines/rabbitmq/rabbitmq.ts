import type { Logger } from 'pino'
import { unavailable } from '../../errors.ts'
import type { Metrics } from '../../metrics.ts'
import { Connection } from './connection.ts'
import { Consumer, type Subscriber } from './consumer.ts'
import { ExchangeTap, type TappedMessage } from './exchange-tap.ts'
import { type Message, Publisher } from './publisher.ts'
import { type QueueCount, QueueCounts } from './queue-counts.ts'
import { type WakeUp, WakeUps } from './wake-ups.ts'

export class RabbitMq {
  readonly #log: Logger
  readonly #wakeUps: WakeUps
  readonly #publisher: Publisher
  readonly #connection: Connection
  #counts: QueueCounts | undefined

  constructor(options: { url: string; log: Logger; metrics: Metrics }) {
    this.#log = options.log
    this.#wakeUps = new WakeUps(options.log)
    this.#publisher = new Publisher(options.metrics)
    this.#connection = new Connection({ ...options, required: [this.#wakeUps, this.#publisher] })
  }

  start(): Promise<void> {
    return this.#connection.start()
  }

  async stop(): Promise<void> {
    this.#wakeUps.stop()
    this.#publisher.stop()
    await this.#connection.stop()
  }

  ping(): Promise<void> {
    return this.#wakeUps.ping()
  }

  onWakeUp(type: string, listener: (wakeUp: WakeUp) => void): void {
    this.#wakeUps.on(type, listener)
  }

  /** Notifies every replica, best effort. */
  wakeUp(message: WakeUp): void {
    this.#wakeUps.send(message)
  }

  /** Resolves when the message is in a queue that survives a crash of the broker, and rejects otherwise. */
  async publish(message: Message): Promise<void> {
    // The broker would close the channel, and so fail all other unconfirmed messages.
    if (this.#connection.isMissing(message.exchange))
      throw unavailable('The broker', new Error(`it has no exchange ${message.exchange}`))
    await this.#publisher.publish(message)
  }

  get isConnected(): boolean {
    return this.#connection.isOpen
  }

  /** Consumes a queue through every reconnection, until the returned function is called or the process stops. */
  subscribe(subscriber: Subscriber): () => void {
    const consumer = new Consumer(subscriber, this.#log)
    this.#connection.add(consumer)
    return () => this.#connection.remove(consumer)
  }

  /** Of queues of the broker's topology, by name. Opens a channel with the first call. */
  countMessages(queues: readonly string[]): Promise<Map<string, QueueCount>> {
    if (!this.#counts) {
      this.#counts = new QueueCounts()
      this.#connection.add(this.#counts)
    }
    return this.#counts.read(queues)
  }

  /** Copies of messages that pass through an exchange, under keys that are bound on demand. */
  tap(exchange: string, received: (message: TappedMessage) => void): ExchangeTap {
    const tap = new ExchangeTap({ exchange, received, log: this.#log })
    this.#connection.add(tap)
    return tap
  }
}
