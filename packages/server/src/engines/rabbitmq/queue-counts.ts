import type { Channel, ChannelModel } from 'amqplib'
import type { ManagedChannel } from './connection.ts'

export interface QueueCount {
  /** That wait for a consumer. Those that were delivered and not acknowledged are not among them. */
  messages: number
  consumers: number
}

const openWithinMs = 1500

/** Asks the broker for the lengths of queues. On its own channel: the broker closes it when a queue does not exist. */
export class QueueCounts implements ManagedChannel {
  readonly name = 'queue counts'
  #channel = Promise.withResolvers<Channel>()

  async read(queues: readonly string[]): Promise<Map<string, QueueCount>> {
    const channel = await this.#opened()
    const counts = await Promise.all(
      queues.map(async (queue) => [queue, await channel.checkQueue(queue)] as const),
    )
    return new Map(
      counts.map(([queue, { messageCount, consumerCount }]) => [
        queue,
        { messages: messageCount, consumers: consumerCount },
      ]),
    )
  }

  create(model: ChannelModel): Promise<Channel> {
    return model.createChannel()
  }

  setUp(channel: Channel): void {
    this.#channel.resolve(channel)
  }

  closed(): void {
    this.#channel = Promise.withResolvers()
  }

  async #opened(): Promise<Channel> {
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(reject, openWithinMs, new Error('the broker is not connected'))
    try {
      return await Promise.race([this.#channel.promise, timeout])
    } finally {
      clearTimeout(timer)
    }
  }
}
