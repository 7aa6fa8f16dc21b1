import type { AgentStatusMessage } from '@manc/contract'
import { maxMessageBytes } from '@manc/contract/broker'
import { agentTopic } from '@manc/contract/topics'
import { connect, type MqttClient } from 'mqtt'
import { type CommandNews, CommandRunner, commandOf } from './commands.ts'
import { BacklogFull, TooLarge } from './errors.ts'
import { type AgentCredentials, AgentHttp } from './http.ts'
import type { Sample } from './sample.ts'

export interface MqttOptions extends AgentCredentials {
  /** For example `mqtts://manc.example.org:8883`. */
  mqttUrl: string
  /** Log in with the password itself instead of a token: for agents that speak MQTT alone. */
  passwordOnly?: boolean
  /** Samples that may wait for their acknowledgement; beyond it `send` refuses. */
  backlog?: number
  /** Why there is no connection: each attempt that failed, while the agent goes on trying. */
  onTrouble?: (error: unknown) => void
}

const firstDelayMs = 500
const longestDelayMs = 30_000
const acknowledgedWithinMs = 30_000

/** The agent's side of the MQTT channel. It connects, and comes back after every outage, until it is stopped. */
export class AgentMqtt {
  readonly #options: MqttOptions
  readonly #http: AgentHttp
  readonly #commands: CommandRunner | undefined
  #client: MqttClient | undefined
  #attempt = 0
  /** The next attempt is prepared already. */
  #returning = false
  #connectedAt = new Date()
  #waiting = 0

  constructor(options: MqttOptions) {
    this.#options = options
    this.#http = new AgentHttp(options)
    this.#commands = options.onCommand && new CommandRunner(options.onCommand)
  }

  /** Resolves with the first connection. The signal ends the login before it; after that there is `stop`. */
  async start(signal?: AbortSignal): Promise<void> {
    const { mqttUrl, apId } = this.#options
    const password = await this.#secret(signal)
    signal?.throwIfAborted()
    const client = connect(mqttUrl, {
      // The broker lets an agent in under its own id alone.
      clientId: apId,
      username: apId,
      password,
      clean: true,
      // Done here: with each connection, before anything is said.
      resubscribe: false,
      protocolVersion: 4,
      reconnectPeriod: firstDelayMs,
      connectTimeout: 30_000,
      keepalive: 60,
      manualConnect: true,
      // The broker refuses everybody while the controller, which it asks, is away.
      reconnectOnConnackError: true,
      will: this.#status('offline'),
    })
    this.#client = client
    const connected = new Promise<void>((resolve) => client.once('connect', () => resolve()))
    client.on('connect', () => {
      this.#attempt = 0
      this.#listen(client)
      this.#say('online')
    })
    client.on('message', (_topic, payload) => {
      const command = commandOf(payload.toString('utf8'))
      // Where it cannot be told, the agent was stopped: the controller's timers see to the rest.
      if (command) this.#commands?.take(command, (news) => this.#tell(client, news)).catch(() => {})
    })
    client.on('reconnect', () => {
      this.#attempt += 1
      this.#returning = false
    })
    // Before the library's own listener, which sets the timer for the return.
    client.prependListener('close', () => void this.#prepareReturn(client, false))
    // A number is the broker's own refusal: for that the timer is set before `close`. Any other failure has nothing to
    // do with the token, and is followed by `close`.
    client.on('error', (error) => {
      this.#options.onTrouble?.(error)
      if ('code' in error && typeof error.code === 'number') void this.#prepareReturn(client, true)
    })
    client.connect()
    await connected
  }

  get connected(): boolean {
    return this.#client?.connected ?? false
  }

  /** Resolves with the broker's acknowledgement: from then on no crash of one process can lose it. */
  async send(sample: Sample | readonly Sample[]): Promise<void> {
    const client = this.#client
    if (!client) throw new Error('start() comes first')
    if (this.#waiting >= (this.#options.backlog ?? 1000))
      throw new BacklogFull(
        'Too many samples wait for their acknowledgement. Send less, or keep them for later.',
      )
    const text = textOf(sample)
    this.#waiting += 1
    const watch = this.#watch(client)
    try {
      await client.publishAsync(agentTopic(this.#options.apId, 'data'), text, { qos: 1 })
    } finally {
      clearInterval(watch)
      this.#waiting -= 1
    }
  }

  /** Where it is and what it is. Resolves with the broker's acknowledgement. */
  async onboard(configuration: Record<string, unknown>): Promise<void> {
    const topic = agentTopic(this.#options.apId, 'onboard')
    await this.#client?.publishAsync(topic, bounded(JSON.stringify(configuration)), { qos: 1 })
  }

  /** A connection on which nothing is acknowledged any more is no use: on the next one it is sent again. */
  #watch(client: MqttClient): NodeJS.Timeout {
    let stream: unknown
    return setInterval(() => {
      // The one that it was sent on may be gone by now: the next one has as long.
      if (client.connected && client.stream === stream) client.stream.destroy()
      stream = client.connected ? client.stream : undefined
    }, acknowledgedWithinMs)
  }

  /**
   * Says goodbye; the broker sends the last will only for those who could not. What is on its way is waited for, which
   * without a connection takes until there is one, unless a time is given.
   */
  async stop({ withinMs }: { withinMs?: number } = {}): Promise<void> {
    const client = this.#client
    if (!client) return
    if (this.connected) this.#say('offline')
    const ended = client.endAsync(withinMs === 0)
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

  /** Every agent waits a time of its own, so that an outage is not followed by a stampede. */
  async #prepareReturn(client: MqttClient, refused: boolean): Promise<void> {
    if (this.#returning) return
    this.#returning = true
    const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** this.#attempt)
    client.options.reconnectPeriod = firstDelayMs + Math.random() * ceiling
    this.#connectedAt = new Date()
    client.options.will = this.#status('offline')
    try {
      if (refused && !this.#options.passwordOnly) await this.#http.checkToken()
      client.options.password = await this.#secret()
    } catch (error) {
      // The controller is away too: what we have may still do, and the next attempt asks again.
      this.#options.onTrouble?.(error)
    }
  }

  /** Names the connection, so that the will of an older one that comes late is known for what it is. */
  #status(status: AgentStatusMessage['status']) {
    const message: AgentStatusMessage = { status, connected_at: this.#connectedAt.toISOString() }
    return {
      topic: agentTopic(this.#options.apId, 'status'),
      payload: Buffer.from(JSON.stringify(message)),
      qos: 1 as const,
      retain: false,
    }
  }

  #listen(client: MqttClient): void {
    if (!this.#commands) return
    // If the connection ends before it is granted, the next one asks again.
    client.subscribe(agentTopic(this.#options.apId, 'command'), { qos: 1 }, () => {})
  }

  async #tell(client: MqttClient, news: CommandNews): Promise<void> {
    // Kept by the library until it is acknowledged, also through an outage.
    await client.publishAsync(agentTopic(this.#options.apId, 'result'), JSON.stringify(news), { qos: 1 })
  }

  #say(status: AgentStatusMessage['status']): void {
    const { topic, payload, qos } = this.#status(status)
    // Samples tell as much; if the connection ends before this is acknowledged, the next one says it anew.
    this.#client?.publish(topic, payload, { qos }, () => {})
  }

  async #secret(signal?: AbortSignal): Promise<string> {
    return this.#options.passwordOnly ? this.#options.password : this.#http.token(signal)
  }
}

const textOf = (sample: Sample | readonly Sample[]): string =>
  bounded(JSON.stringify(Array.isArray(sample) ? { samples: sample } : sample))

/** The broker would neither take more nor say so. */
function bounded(text: string): string {
  if (Buffer.byteLength(text) > maxMessageBytes)
    throw new TooLarge('A message has at most 1 MiB. Send a batch in parts.')
  return text
}
