import { agentRoutingKey, exchanges } from '@manc/contract'
import amqp from 'amqplib'

/** A queue beside those of the ingester: every message of an agent, in the order in which the broker took them. */
export class Arrivals {
  readonly #url: string
  readonly #queue: string

  private constructor(url: string, queue: string) {
    this.#url = url
    this.#queue = queue
  }

  /** It outlives the broker, as theirs do; but a quorum queue that is killed as soon as it is made never comes back. */
  static async watch(url: string, apId: string): Promise<Arrivals> {
    const arrivals = new Arrivals(url, `test.arrivals.${apId}`)
    await arrivals.#work(async (channel) => {
      await channel.assertQueue(arrivals.#queue, { durable: true, arguments: { 'x-queue-type': 'classic' } })
      await channel.bindQueue(arrivals.#queue, exchanges.agents, agentRoutingKey(apId, 'data'))
    })
    return arrivals
  }

  /** What has come since the last time: the samples of each message. */
  async take(): Promise<{ ts: number; payload: Record<string, number> }[][]> {
    const texts: string[] = []
    await this.#work(async (channel) => {
      for (
        let message = await channel.get(this.#queue, { noAck: true });
        message !== false;
        message = await channel.get(this.#queue, { noAck: true })
      )
        texts.push(message.content.toString('utf8'))
    })
    return texts.map((text) => {
      const said = JSON.parse(text)
      return said.samples ?? [said]
    })
  }

  async #work(work: (channel: amqp.Channel) => Promise<void>): Promise<void> {
    const connection = await amqp.connect(this.#url)
    const channel = await connection.createChannel()
    // The request that fails reports it.
    for (const emitter of [connection, channel]) emitter.on('error', () => {})
    await work(channel)
    await connection.close()
  }
}
