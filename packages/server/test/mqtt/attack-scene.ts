import { agentRoutingKey, deadLetterQueue, exchanges } from '@manc/contract'
import {
  type ApiResponse,
  admin,
  call,
  createIsolatedEnvironment,
  type IsolatedEnvironment,
  type ServerProcess,
  startServerProcess,
  tokenOf,
} from '@manc/harness'
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

/** A real broker and a controller in a process of its own, with agents, and what can be seen from behind. */
export class AttackScene {
  readonly environment: IsolatedEnvironment
  readonly server: ServerProcess
  readonly adminToken: string
  /** What could not be used, as it is set aside. */
  readonly deadLetters: DeadLetter[] = []
  #broker: amqp.ChannelModel | undefined

  private constructor(parts: Pick<AttackScene, 'environment' | 'server' | 'adminToken'>) {
    this.environment = parts.environment
    this.server = parts.server
    this.adminToken = parts.adminToken
  }

  static async open(agents: readonly string[]): Promise<AttackScene> {
    const environment = await createIsolatedEnvironment()
    const server = await startServerProcess({
      ...environment.variables,
      MANC_ROLES: 'api,subscriber,ingester',
    })
    const adminToken = await tokenOf(server.url, 'user', admin.username, admin.password)
    const scene = new AttackScene({ environment, server, adminToken })
    for (const apId of agents) await scene.register(apId)
    await scene.#readDeadLetters()
    return scene
  }

  async close(): Promise<void> {
    await this.#broker?.close()
    await this.server.stop()
    await this.environment.drop()
  }

  request(method: string, path: string, token: string, body?: unknown): Promise<ApiResponse> {
    return call(this.server.url, method, path, { token, body })
  }

  async register(apId: string): Promise<void> {
    const body = { ap_id: apId, password, configuration: {} }
    expect((await this.request('POST', '/api/v1/agents/', this.adminToken, body)).status).toBe(200)
  }

  tokenOf(apId: string): Promise<string> {
    return tokenOf(this.server.url, 'agent', apId, password)
  }

  connect(apId: string, secret = password, more = {}): Promise<Device> {
    return connectDevice(this.environment.engines.mqtt, apId, secret, more)
  }

  /** A command as the controller publishes it. */
  async command(apId: string, text: string): Promise<void> {
    const channel = await this.#broker?.createChannel()
    channel?.publish(exchanges.agents, agentRoutingKey(apId, 'command'), Buffer.from(text))
    await channel?.close()
  }

  /** Neither has ended, nor said that it nearly did. */
  expectAlive(): void {
    expect(this.server.process.exitCode).toBeNull()
    expect(this.server.output()).not.toMatch(/unhandled|uncaught|"level":60/i)
  }

  /** Samples of an agent that were refused after they had been accepted, by reason. */
  async refusedOf(apId: string): Promise<Record<string, number>> {
    const rows = await this.sql('select reason, samples from refused_samples where ap_id = $1', [apId])
    return Object.fromEntries(rows.map(({ reason, samples }) => [reason, Number(samples)]))
  }

  async sql(text: string, values: unknown[]): Promise<any[]> {
    return await this.environment.sql(text, values)
  }

  /** The names of all series that the store has of an agent. */
  async seriesOf(apId: string): Promise<string[]> {
    const nowS = Math.round(Date.now() / 1000)
    const query = new URLSearchParams({
      'match[]': `{ap_id="${apId}"}`,
      start: String(nowS - dayS),
      end: String(nowS + 730 * dayS),
    })
    const answer = await fetch(`${this.environment.engines.victoria}/api/v1/series?${query.toString()}`)
    const { data } = (await answer.json()) as { data: { __name__: string }[] }
    return data.map(({ __name__ }) => __name__).sort()
  }

  async #readDeadLetters(): Promise<void> {
    this.#broker = await amqp.connect(this.environment.engines.rabbitmq)
    const channel = await this.#broker.createChannel()
    // Where one breaks, nothing arrives any more, and that is seen.
    for (const emitter of [this.#broker, channel]) emitter.on('error', () => {})
    await channel.consume(deadLetterQueue, (message) => {
      const { ap_id, reason } = message?.properties.headers ?? {}
      if (message) this.deadLetters.push({ apId: ap_id, reason, text: message.content.toString('utf8') })
    })
  }
}
