import { agentRoutingKey, deadLetterQueue, exchanges } from '@manc/contract'
import {
  admin,
  createIsolatedEnvironment,
  IsolatedEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
  type Variables,
} from '@manc/harness'
import { environmentTest } from '@manc/harness/fixture'
import amqp from 'amqplib'
import { expect } from 'vitest'
import { connectDevice, type Device } from './device.ts'

const password = 'a-chosen-password'
const dayS = 86_400

interface DeadLetter {
  apId: string
  reason: string
  text: string
}

/** A broker, a server in its own process and agents, with access to the broker, the database and the store. */
export class AttackEnvironment extends IsolatedEnvironment {
  /** Messages of the dead-letter queue. */
  readonly deadLetters: DeadLetter[] = []
  #process: ServerProcess | undefined
  #adminToken = ''
  #broker: amqp.ChannelModel | undefined

  static async open(agents: readonly string[], more: Variables = {}): Promise<AttackEnvironment> {
    const { set, variables } = await createIsolatedEnvironment(more)
    const environment = new AttackEnvironment(set, variables)
    environment.#process = await startServerProcess({ ...variables, MANC_ROLES: 'api,subscriber,ingester' })
    environment.#adminToken = await tokenOf(environment.url, 'user', admin.username, admin.password)
    for (const apId of agents) await environment.register(apId)
    await environment.#readDeadLetters()
    return environment
  }

  override get url(): string {
    return this.#process?.url ?? ''
  }

  get internalUrl(): string {
    return this.#process?.internalUrl ?? ''
  }

  override get adminToken(): string {
    return this.#adminToken
  }

  override async drop(): Promise<void> {
    await this.#broker?.close()
    await this.#process?.stop()
    await super.drop()
  }

  async register(apId: string): Promise<void> {
    const body = { ap_id: apId, password, configuration: {} }
    expect((await this.request('POST', '/api/v1/agents/', body)).status).toBe(200)
  }

  tokenOf(apId: string): Promise<string> {
    return tokenOf(this.url, 'agent', apId, password)
  }

  connect(apId: string, secret = password, more = {}): Promise<Device> {
    return connectDevice(this.engines.mqtt, apId, secret, more)
  }

  /** Publishes a command as the controller does. */
  async command(apId: string, text: string): Promise<void> {
    const channel = await this.#broker?.createChannel()
    channel?.publish(exchanges.agents, agentRoutingKey(apId, 'command'), Buffer.from(text))
    await channel?.close()
  }

  /** The server runs and has logged no unhandled error. */
  expectAlive(): void {
    expect(this.#process?.process.exitCode).toBeNull()
    expect(this.#process?.output()).not.toMatch(/unhandled|uncaught|"level":60/i)
  }

  /** How many samples of an agent were rejected after the broker had acknowledged them, by reason. */
  async rejectedSamplesOf(apId: string): Promise<Record<string, number>> {
    const rows = await this.sql('select reason, samples from refused_samples where ap_id = $1', [apId])
    return Object.fromEntries(rows.map(({ reason, samples }) => [reason, Number(samples)]))
  }

  /** The names of all series of an agent in the store. */
  async seriesOf(apId: string): Promise<string[]> {
    const nowS = Math.round(Date.now() / 1000)
    const query = new URLSearchParams({
      'match[]': `{ap_id="${apId}"}`,
      start: String(nowS - dayS),
      end: String(nowS + 730 * dayS),
    })
    const response = await fetch(`${this.engines.victoria}/api/v1/series?${query.toString()}`)
    const { data } = (await response.json()) as { data: { __name__: string }[] }
    return data.map(({ __name__ }) => __name__).sort()
  }

  async #readDeadLetters(): Promise<void> {
    this.#broker = await amqp.connect(this.engines.rabbitmq)
    const channel = await this.#broker.createChannel()
    // After a broken connection nothing arrives any more, and the tests that wait for messages fail.
    for (const emitter of [this.#broker, channel]) emitter.on('error', () => {})
    await channel.consume(deadLetterQueue, (message) => {
      const { ap_id, reason } = message?.properties.headers ?? {}
      if (message) this.deadLetters.push({ apId: ap_id, reason, text: message.content.toString('utf8') })
    })
  }
}

export const test = environmentTest(() =>
  AttackEnvironment.open(['attacker', 'victim', 'observer', 'neighbour']),
)
