import { jobQueue } from '@manc/contract/broker'
import { BrokerHosts } from '@manc/contract/broker-hosts'
import { type TlsOptions, tlsAdvice } from '@manc/sdk/tls'
import amqp, { type Channel, type ChannelModel, type RecoveringChannelModel } from 'amqplib'

interface Options {
  rabbitMqUrl: string
  tls: TlsOptions | undefined
  log: (line: string) => void
}

/** A message that is redelivered unless it is acknowledged. */
export interface Delivery {
  text: string
  readonly acknowledge: () => void
}

const queue = jobQueue('emulator_spinup')

/** The queue of parts that wait for an emulator. Reconnects after every outage. */
export class PartQueue {
  readonly #options: Options
  #connection: RecoveringChannelModel | undefined
  #model: ChannelModel | undefined
  #channel: Channel | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Does not wait for the broker. */
  async start(): Promise<void> {
    const { rabbitMqUrl, tls, log } = this.#options
    const hosts = new BrokerHosts(rabbitMqUrl)
    const connection = await amqp.connect(hosts.target, {
      ...tls,
      clientProperties: { connection_name: 'manc-emulator' },
      timeout: 5000,
      recovery: {
        initialDelay: 200,
        maxDelay: 2000,
        maxRetries: Number.POSITIVE_INFINITY,
        waitForConnect: false,
        setup: (model: ChannelModel) => {
          this.#model = model
        },
      },
    })
    let isReachable = true
    connection.on('connect', () => {
      isReachable = true
    })
    connection.on('connect-failed', (error: Error) => {
      // Logged once per outage, not once per attempt.
      if (isReachable) log(`the broker cannot be reached, retrying: ${error.message}${adviceOf(error)}`)
      isReachable = false
      hosts.next()
    })
    connection.on('disconnect', () => {
      this.#model = undefined
      this.#channel = undefined
      log('disconnected from the broker')
      hosts.next()
    })
    connection.on('error', (error: Error) => log(`the broker connection failed: ${error.message}`))
    this.#connection = connection
  }

  async stop(): Promise<void> {
    await this.#connection?.close()
  }

  /**
   * The next message, if there is one and the broker is reachable. Fetched one by one instead of consumed: a prefetched
   * message would wait here while another emulator has capacity for it.
   */
  async get(): Promise<Delivery | undefined> {
    try {
      const channel = await this.#openChannel()
      const message = channel && (await channel.get(queue))
      if (!message) return undefined
      return { text: message.content.toString('utf8'), acknowledge: () => acknowledge(channel, message) }
    } catch (error) {
      this.#options.log(`the queue cannot be read: ${(error as Error).message}`)
      return undefined
    }
  }

  /** The broker closes a channel on an error, for example when the queue does not exist. */
  async #openChannel(): Promise<Channel | undefined> {
    if (this.#channel) return this.#channel
    const channel = await this.#model?.createChannel()
    channel?.on('error', (error: Error) => this.#options.log(`the broker channel failed: ${error.message}`))
    channel?.on('close', () => {
      if (this.#channel === channel) this.#channel = undefined
    })
    this.#channel = channel
    return channel
  }
}

function adviceOf(error: Error): string {
  const advice = tlsAdvice(error)
  return advice === undefined ? '' : `. ${advice}`
}

/** On a closed channel it fails: the message is redelivered, and the lease on its part decides. */
function acknowledge(channel: Channel, message: amqp.GetMessage): void {
  try {
    channel.ack(message)
  } catch {
    // Redelivered.
  }
}
