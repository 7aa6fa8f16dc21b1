import { setTimeout as sleep } from 'node:timers/promises'
import { BrokerHosts } from '@manc/contract/broker-hosts'
import amqp, { type Channel, type ChannelModel, type RecoveringChannelModel } from 'amqplib'
import type { Logger } from 'pino'
import { missingTopology } from './topology.ts'

/** One channel of the connection. The connection opens it again whenever it was closed. */
export interface ManagedChannel<C extends Channel = Channel> {
  /** For the log. */
  readonly name: string
  create(model: ChannelModel): Promise<C>
  setUp(channel: C): Promise<void> | void
  closed(channel: C): void
}

const reopenAfterMs = 1000
const closeWithinMs = 3000
/** While the topology is incomplete: it may be imported without a new connection. */
const checkAgainAfterMs = 5000

/** The connection to the broker, through every outage. */
export class Connection {
  readonly #hosts: BrokerHosts
  readonly #log: Logger
  /** Opened before the connection counts as established. */
  readonly #required: ManagedChannel[]
  readonly #added = new Map<ManagedChannel, Channel | undefined>()
  #recovering: RecoveringChannelModel | undefined
  #model: ChannelModel | undefined
  /** The connection on which all added channels were opened. */
  #openedOn: ChannelModel | undefined
  #missing: readonly string[] = []

  constructor(options: { url: string; log: Logger; required: ManagedChannel[] }) {
    this.#hosts = new BrokerHosts(options.url)
    this.#log = options.log
    this.#required = options.required
  }

  /** Does not wait for the broker: the process starts without it, and connects when it is reachable. */
  async start(): Promise<void> {
    const connection = await amqp.connect(this.#hosts.target, {
      clientProperties: { connection_name: 'manc-server' },
      timeout: 5000,
      // Otherwise a small message waits up to 40 ms until the broker has acknowledged the packet before it.
      noDelay: true,
      recovery: {
        initialDelay: 200,
        maxDelay: 2000,
        maxRetries: Number.POSITIVE_INFINITY,
        waitForConnect: false,
        setup: (model: ChannelModel) => this.#connected(model),
      },
    })
    let isReachable = true
    connection.on('connect', () => {
      isReachable = true
      this.#log.info({ host: this.#hosts.name }, 'broker connected')
    })
    connection.on('connect-failed', (error: Error) => {
      // Logged once per outage, not once per attempt.
      if (isReachable) this.#log.warn({ err: error }, 'the broker cannot be reached; retrying')
      isReachable = false
      this.#hosts.next()
    })
    connection.on('disconnect', (error?: Error) => {
      this.#model = undefined
      this.#log.warn({ err: error, host: this.#hosts.name }, 'broker disconnected')
      this.#hosts.next()
    })
    connection.on('error', (error: Error) => this.#log.warn({ err: error }, 'broker connection failed'))
    this.#recovering = connection
  }

  /** A broker that does not answer does not keep the process from stopping: it notices the end of the connection later. */
  async stop(): Promise<void> {
    this.#model = undefined
    await Promise.race([this.#recovering?.close(), sleep(closeWithinMs, undefined, { ref: false })])
  }

  get isOpen(): boolean {
    return this.#model !== undefined
  }

  /** Whether the broker does not have this exchange or queue of the topology, as far as it is known. */
  isMissing(name: string): boolean {
    return this.#missing.includes(name)
  }

  /** Opens the channel now, or with the next connection, and keeps it open until it is removed. */
  add(channel: ManagedChannel): void {
    this.#added.set(channel, undefined)
    // Before that, #connected opens it: a channel that is opened twice would have two consumers and one inbox.
    if (this.#model && this.#model === this.#openedOn) void this.#keepOpen(this.#model, channel)
  }

  remove(managed: ManagedChannel): void {
    const channel = this.#added.get(managed)
    this.#added.delete(managed)
    if (channel) void closeQuietly(channel)
  }

  async #connected(model: ChannelModel): Promise<void> {
    this.#model = model
    for (const each of this.#required) await each.setUp(await this.#create(model, each))
    this.#openedOn = model
    for (const each of this.#added.keys()) void this.#keepOpen(model, each)
    void this.#checkTopology(model)
  }

  /** Does not stop the process: with an older topology most of it works, and consumers wait for their queues. */
  async #checkTopology(model: ChannelModel): Promise<void> {
    try {
      const missing = await missingTopology(model)
      const isChanged = String(missing) !== String(this.#missing)
      this.#missing = missing
      if (missing.length === 0) return this.#log.debug('the topology of the broker is current')
      // Once, not with each check.
      if (isChanged)
        this.#log.error(
          { missing },
          'the topology of the broker is older than this version needs. On the broker, run: ' +
            'rabbitmqctl import_definitions definitions.json (of this version, in deploy/rabbitmq)',
        )
    } catch (error) {
      if (this.#model === model) this.#log.warn({ err: error }, 'the topology of the broker was not checked')
    }
    // Also after an error: until then nothing is published to what was missing.
    if (this.#missing.length > 0)
      setTimeout(() => this.#model === model && void this.#checkTopology(model), checkAgainAfterMs).unref()
  }

  async #keepOpen(model: ChannelModel, managed: ManagedChannel): Promise<void> {
    let channel: Channel | undefined
    try {
      channel = await this.#create(model, managed)
      // It may have been removed meanwhile.
      if (!this.#isWanted(managed)) return await closeQuietly(channel)
      await managed.setUp(channel)
    } catch (error) {
      this.#log.warn({ err: error, channel: managed.name }, 'a broker channel could not be opened')
      // A channel that exists is opened again when it closes.
      if (channel) await closeQuietly(channel)
      else this.#reopenLater(model, managed)
    }
  }

  async #create(model: ChannelModel, managed: ManagedChannel): Promise<Channel> {
    const channel = await managed.create(model)
    channel.on('error', (error) =>
      this.#log.warn({ err: error, channel: managed.name }, 'broker channel failed'),
    )
    channel.on('close', () => {
      if (this.#added.get(managed) === channel) this.#added.set(managed, undefined)
      managed.closed(channel)
      this.#reopenLater(model, managed)
    })
    if (this.#added.has(managed)) this.#added.set(managed, channel)
    return channel
  }

  /** For a channel that was closed while its connection is open, for example because its queue does not exist. */
  #reopenLater(model: ChannelModel, managed: ManagedChannel): void {
    if (this.#model !== model || !this.#isWanted(managed)) return
    const timer = setTimeout(() => {
      if (this.#model === model && this.#isWanted(managed)) void this.#keepOpen(model, managed)
    }, reopenAfterMs)
    timer.unref()
  }

  #isWanted(managed: ManagedChannel): boolean {
    return this.#added.has(managed) || this.#required.includes(managed)
  }
}

async function closeQuietly(channel: Channel): Promise<void> {
  try {
    await channel.close()
  } catch {
    // It is closed already.
  }
}
