import type { UpdateAccepted } from '@manc/contract'
import type { Channel } from './channel.ts'
import { type CommandNews, CommandRunner } from './commands.ts'
import { isPermanent } from './errors.ts'
import { type AgentCredentials, AgentHttp } from './http.ts'
import type { Sample } from './sample.ts'

const requestTimeoutMs = 30_000
const pollIntervalMs = 10_000

/** Updates over HTTP. Commands arrive in the responses; their results are sent with the next update. */
export class HttpChannel implements Channel {
  isConnected = false
  readonly #http: AgentHttp
  readonly #commands: CommandRunner | undefined
  readonly #onPendingResult: () => void
  readonly #onRefused: (error: unknown) => void
  #pending: { result: CommandNews; delivered: () => void }[] = []
  #polledAt = 0

  constructor(
    { onCommand, ...credentials }: AgentCredentials,
    listeners: { onPendingResult: () => void; onRefused: (error: unknown) => void },
  ) {
    this.#http = new AgentHttp(credentials)
    this.#commands = onCommand && new CommandRunner(onCommand)
    this.#onPendingResult = listeners.onPendingResult
    this.#onRefused = listeners.onRefused
  }

  get hasPendingResults(): boolean {
    return this.#pending.length > 0
  }

  get idleMs(): number | undefined {
    return this.#commands && Math.max(0, this.#polledAt + pollIntervalMs - Date.now())
  }

  async connect(signal: AbortSignal): Promise<void> {
    await this.#tracked(signal, (timeout) => this.#http.token(timeout))
  }

  async onboard(configuration: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    await this.#update({ configuration }, signal)
  }

  async deliver(samples: readonly Sample[], signal: AbortSignal): Promise<void> {
    await this.#update({ samples }, signal)
  }

  async exchange(signal: AbortSignal): Promise<void> {
    const pending = this.#pending
    if (pending.length === 0 && this.idleMs !== 0) return
    try {
      await this.#update(pending.length > 0 ? { results: pending.map(({ result }) => result) } : {}, signal)
    } catch (error) {
      if (!isPermanent(error)) throw error
      // Sent again it would be refused again.
      this.#onRefused(error)
    }
    this.#pending = this.#pending.filter((each) => !pending.includes(each))
    for (const { delivered } of pending) delivered()
  }

  async stop(): Promise<void> {
    this.isConnected = false
  }

  async #update(body: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const accepted = await this.#tracked(signal, (timeout) => this.#http.update(body, timeout))
    this.#polledAt = Date.now()
    this.#runCommands(accepted)
  }

  /** In the background: a command may take long. */
  #runCommands({ commands }: UpdateAccepted): void {
    const report = (result: CommandNews) =>
      new Promise<void>((delivered) => {
        this.#pending = [...this.#pending, { result, delivered }]
        this.#onPendingResult()
      })
    for (const command of commands) void this.#commands?.handle(command, report)
  }

  async #tracked<T>(signal: AbortSignal, work: (timeout: AbortSignal) => Promise<T>): Promise<T> {
    try {
      const done = await work(AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]))
      this.isConnected = true
      return done
    } catch (error) {
      this.isConnected = false
      throw error
    }
  }
}
