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
  /** It was delivered before, to a process that has not acknowledged it. */
  isRedelivered: boolean
  readonly acknowledge: () => void
}

/** The queues of work that waits for an emulator. Reconnects after every outage. */
export class WorkQueues {
  readonly #options: Options
  #connection: RecoveringChannelModel | undefined
  #model: ChannelModel | undefined
  /** One for each queue: the broker closes a channel on an error. */
  readonly #channels = new Map<string, Channel>()
  /** What was logged about a queue and is still the case. */
  readonly #problems = new Map<string, string>()

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
      noDelay: true,
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
      this.#channels.clear()
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
   * The next message of a queue, if there is one and the broker is reachable. Fetched one by one instead of consumed: a
   * prefetched message would wait here while another emulator has capacity for it.
   */
  async get(queue: string): Promise<Delivery | undefined> {
    try {
      const channel = await this.#openChannel(queue)
      const message = channel && (await channel.get(queue))
      if (channel) this.#problems.delete(queue)
      if (!message) return undefined
      return {
        text: message.content.toString('utf8'),
        isRedelivered: message.fields.redelivered,
        acknowledge: () => acknowledge(channel, message),
      }
    } catch (error) {
      this.#logOnce(queue, (error as Error).message)
      return undefined
    }
  }

  /** The broker closes a channel on an error, for example when the queue does not exist. */
  async #openChannel(queue: string): Promise<Channel | undefined> {
    const open = this.#channels.get(queue)
    if (open) return open
    const channel = await this.#model?.createChannel()
    if (!channel) return undefined
    // The rejected request reports it.
    channel.on('error', () => {})
    channel.on('close', () => {
      if (this.#channels.get(queue) === channel) this.#channels.delete(queue)
    })
    this.#channels.set(queue, channel)
    return channel
  }

  /** A queue that is missing is so for long. */
  #logOnce(queue: string, problem: string): void {
    if (this.#problems.get(queue) === problem) return
    this.#problems.set(queue, problem)
    this.#options.log(`the queue ${queue} cannot be read: ${problem}`)
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
