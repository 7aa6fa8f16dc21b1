import type { AgentClientsMessage } from '@manc/contract'
import type { Channel } from './channel.ts'
import { AgentMqtt, type MqttOptions } from './mqtt.ts'
import type { Sample } from './sample.ts'

const loginTimeoutMs = 30_000
const disconnectTimeoutMs = 2000

/** One MQTT connection, which reconnects by itself and then sends what waits. */
export class MqttChannel implements Channel {
  readonly hasPendingResults = false
  readonly idleMs = undefined
  readonly #agent: AgentMqtt
  #started: Promise<void> | undefined

  constructor(options: MqttOptions) {
    this.#agent = new AgentMqtt(options)
  }

  get isConnected(): boolean {
    return this.#agent.connected
  }

  get connections(): number {
    return this.#agent.connections
  }

  reportClients(message: AgentClientsMessage): Promise<void> {
    return this.#agent.reportClients(message)
  }

  async connect(signal: AbortSignal): Promise<void> {
    this.#started ??= this.#agent.start(AbortSignal.any([signal, AbortSignal.timeout(loginTimeoutMs)]))
    try {
      await unlessAborted(this.#started, signal)
    } catch (error) {
      // Only the login before the first attempt fails; afterwards the client reconnects by itself.
      this.#started = undefined
      throw error
    }
  }

  onboard(configuration: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    return unlessAborted(this.#agent.onboard(configuration), signal)
  }

  deliver(samples: readonly Sample[], signal: AbortSignal): Promise<void> {
    const [only, ...more] = samples
    return unlessAborted(this.#agent.send(only && more.length === 0 ? only : samples), signal)
  }

  async exchange(): Promise<void> {}

  async stop(isIdle: boolean): Promise<void> {
    await this.#agent.stop({ withinMs: isIdle && this.isConnected ? disconnectTimeoutMs : 0 })
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  // Its later failure is of no interest.
  work.catch(() => {})
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
