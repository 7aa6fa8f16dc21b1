import type { Socket } from 'node:net'
import type { AgentClientsMessage, AgentStatusMessage } from '@manc/contract'
import { maxMessageBytes } from '@manc/contract/broker'
import { agentTopic } from '@manc/contract/topics'
import { connect, type MqttClient } from 'mqtt'
import { type CommandNews, CommandRunner, parseCommand } from './commands.ts'
import { BacklogFull, TooLarge } from './errors.ts'
import { type AgentCredentials, AgentHttp } from './http.ts'
import type { Sample } from './sample.ts'

export interface MqttOptions extends AgentCredentials {
  /** For example `mqtts://manc.example.org:8883`. */
  mqttUrl: string
  /** Connect with the password instead of a token: for agents that use MQTT only. */
  passwordOnly?: boolean
  /** Samples that may wait for an acknowledgement; `send` refuses more. */
  backlog?: number
  /** Called for each failed attempt to connect; the agent keeps retrying. */
  onTrouble?: (error: unknown) => void
}

const firstDelayMs = 500
const maxDelayMs = 30_000
const acknowledgeTimeoutMs = 30_000

/** The MQTT client of an agent. It reconnects after every outage until it is stopped. */
export class AgentMqtt {
  readonly #options: MqttOptions
  readonly #http: AgentHttp
  readonly #commands: CommandRunner | undefined
  /** How often it has connected. */
  connections = 0
  #client: MqttClient | undefined
  #attempt = 0
  /** The next attempt is prepared. */
  #isReconnecting = false
  #connectedAt = new Date()
  #waiting = 0

  constructor(options: MqttOptions) {
    this.#options = options
    this.#http = new AgentHttp(options)
    this.#commands = options.onCommand && new CommandRunner(options.onCommand)
  }

  /** Resolves with the first connection. The signal aborts the login before it; afterwards use `stop`. */
  async start(signal?: AbortSignal): Promise<void> {
    const { mqttUrl, apId, tls } = this.#options
    const password = await this.#secret(signal)
    signal?.throwIfAborted()
    const client = connect(mqttUrl, {
      ...tls,
      // The broker requires the client id of an agent to be its `ap_id`.
      clientId: apId,
      username: apId,
      password,
      clean: true,
      // Done below, with each connection.
      resubscribe: false,
      protocolVersion: 4,
      reconnectPeriod: firstDelayMs,
      connectTimeout: 30_000,
      keepalive: 60,
      manualConnect: true,
      // The broker refuses all agents while the controller is unreachable.
      reconnectOnConnackError: true,
      will: this.#status('offline'),
    })
    this.#client = client
    const connected = new Promise<void>((resolve) => client.once('connect', () => resolve()))
    client.on('connect', () => {
      // It was stopped while it was connecting. The library has closed its store: a publish would throw.
      if (client.disconnected) return void client.stream.destroy()
      this.#attempt = 0
      this.connections += 1
      // Otherwise the second of two small messages waits up to 40 ms until the broker has acknowledged the first packet.
      ;(client.stream as Partial<Socket>).setNoDelay?.(true)
      this.#subscribeToCommands(client)
      this.#publishStatus('online')
    })
    client.on('message', (_topic, payload) => {
      const command = parseCommand(payload.toString('utf8'))
      // Fails when the agent was stopped: the command times out at the controller.
      if (command)
        this.#commands?.handle(command, (result) => this.#publishResult(client, result)).catch(() => {})
    })
    client.on('reconnect', () => {
      this.#attempt += 1
      this.#isReconnecting = false
    })
    // Before the listener of the library, which sets the timer for the next attempt.
    client.prependListener('close', () => void this.#prepareReconnect(client, false))
    // A numeric code is a refusal by the broker: for that the timer is set before `close`. Any other failure does not
    // concern the token, and is followed by `close`.
    client.on('error', (error) => {
      this.#options.onTrouble?.(error)
      if ('code' in error && typeof error.code === 'number') void this.#prepareReconnect(client, true)
    })
    client.connect()
    await connected
  }

  get connected(): boolean {
    return this.#client?.connected ?? false
  }

  /** Resolves with the broker's acknowledgement: from then on the crash of one process cannot lose the sample. */
  async send(sample: Sample | readonly Sample[]): Promise<void> {
    const client = this.#client
    if (!client) throw new Error('Call start() first.')
    if (this.#waiting >= (this.#options.backlog ?? 1000))
      throw new BacklogFull(
        'Too many samples wait for their acknowledgement. Send less, or keep them for later.',
      )
    const text = textOf(sample)
    this.#waiting += 1
    const timer = this.#watchAcknowledgement(client)
    try {
      await client.publishAsync(agentTopic(this.#options.apId, 'data'), text, { qos: 1 })
    } finally {
      clearInterval(timer)
      this.#waiting -= 1
    }
  }

  /** Sends position and properties. Resolves with the broker's acknowledgement. */
  async onboard(configuration: Record<string, unknown>): Promise<void> {
    const topic = agentTopic(this.#options.apId, 'onboard')
    await this.#client?.publishAsync(topic, bounded(JSON.stringify(configuration)), { qos: 1 })
  }

  /** Reports clients. Resolves with the broker's acknowledgement; without a connection it fails at once. */
  async reportClients(message: AgentClientsMessage): Promise<void> {
    const client = this.#client
    if (!client?.connected) throw new Error('The agent is not connected. Report all clients when it is.')
    const topic = agentTopic(this.#options.apId, 'clients')
    await client.publishAsync(topic, bounded(JSON.stringify(message)), { qos: 1 })
  }

  /** Closes a connection without acknowledgements; the next one sends the message again. */
  #watchAcknowledgement(client: MqttClient): NodeJS.Timeout {
    let stream: unknown
    return setInterval(() => {
      // After a reconnection the message has as long again.
      if (client.connected && client.stream === stream) client.stream.destroy()
      stream = client.connected ? client.stream : undefined
    }, acknowledgeTimeoutMs)
  }

  /**
   * Publishes `offline` and disconnects; the last will is for lost connections. Waits for unacknowledged messages, without
   * a connection until there is one, unless a time is given.
   */
  async stop({ withinMs }: { withinMs?: number } = {}): Promise<void> {
    const client = this.#client
    if (!client) return
    if (this.connected) this.#publishStatus('offline')
    const ended = client.endAsync(withinMs === 0).then(() => {
      // Otherwise the library connects again when a connection that was being made is closed.
      client.options.reconnectPeriod = 0
    })
    if (withinMs === undefined || withinMs === 0) return ended
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        client.stream.destroy()
        resolve()
      }, withinMs)
    })
    await Promise.race([ended, late])
    clearTimeout(timer)
  }

  /** A random delay, so that not all agents reconnect at once after an outage. */
  async #prepareReconnect(client: MqttClient, refused: boolean): Promise<void> {
    if (this.#isReconnecting || client.disconnected) return
    this.#isReconnecting = true
    const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** this.#attempt)
    client.options.reconnectPeriod = firstDelayMs + Math.random() * ceiling
    this.#connectedAt = new Date()
    client.options.will = this.#status('offline')
    try {
      if (refused && !this.#options.passwordOnly) await this.#http.checkToken()
      client.options.password = await this.#secret()
    } catch (error) {
      // The controller is unreachable too: the present token may still be valid, and the next attempt retries.
      this.#options.onTrouble?.(error)
    }
  }

  /** Identifies the connection, so that the late last will of an older one is ignored. */
  #status(status: AgentStatusMessage['status']) {
    const message: AgentStatusMessage = { status, connected_at: this.#connectedAt.toISOString() }
    return {
      topic: agentTopic(this.#options.apId, 'status'),
      payload: Buffer.from(JSON.stringify(message)),
      qos: 1 as const,
      retain: false,
    }
  }

  #subscribeToCommands(client: MqttClient): void {
    if (!this.#commands) return
    // If the connection ends before the acknowledgement, the next one subscribes again.
    client.subscribe(agentTopic(this.#options.apId, 'command'), { qos: 1 }, () => {})
  }

  async #publishResult(client: MqttClient, result: CommandNews): Promise<void> {
    // The library keeps it until it is acknowledged, also through an outage.
    await client.publishAsync(agentTopic(this.#options.apId, 'result'), JSON.stringify(result), { qos: 1 })
  }

  #publishStatus(status: AgentStatusMessage['status']): void {
    const { topic, payload, qos } = this.#status(status)
    // If the connection ends before the acknowledgement, the next one publishes it again.
    this.#client?.publish(topic, payload, { qos }, () => {})
  }

  async #secret(signal?: AbortSignal): Promise<string> {
    return this.#options.passwordOnly ? this.#options.password : this.#http.token(signal)
  }
}

const textOf = (sample: Sample | readonly Sample[]): string =>
  bounded(JSON.stringify(Array.isArray(sample) ? { samples: sample } : sample))

/** The broker neither acknowledges a larger message nor reports an error. */
function bounded(text: string): string {
  if (Buffer.byteLength(text) > maxMessageBytes)
    throw new TooLarge('A message has at most 1 MiB. Send a batch in parts.')
  return text
}
