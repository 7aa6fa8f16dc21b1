import type { Channel } from './channel.ts'
import { AgentMqtt, type MqttOptions } from './mqtt.ts'
import type { Sample } from './sample.ts'

const loggedInWithinMs = 30_000
const farewellMs = 2000

/** One connection that comes back by itself: what was handed over is sent as soon as there is one. */
export class MqttChannel implements Channel {
  readonly hasNews = false
  readonly restMs = undefined
  readonly #agent: AgentMqtt
  #started: Promise<void> | undefined

  constructor(options: MqttOptions) {
    this.#agent = new AgentMqtt(options)
  }

  get isConnected(): boolean {
    return this.#agent.connected
  }

  async connect(signal: AbortSignal): Promise<void> {
    this.#started ??= this.#agent.start(AbortSignal.any([signal, AbortSignal.timeout(loggedInWithinMs)]))
    try {
      await unlessAborted(this.#started, signal)
    } catch (error) {
      // Only the login before the first attempt fails; from then on it goes on trying by itself.
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
    await this.#agent.stop({ withinMs: isIdle && this.isConnected ? farewellMs : 0 })
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  // Nobody may be left to hear how it ends.
  work.catch(() => {})
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
