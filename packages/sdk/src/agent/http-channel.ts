import type { UpdateAccepted } from '@manc/contract'
import type { Channel } from './channel.ts'
import { type CommandNews, CommandRunner } from './commands.ts'
import { isForGood } from './errors.ts'
import { type AgentCredentials, AgentHttp } from './http.ts'
import type { Sample } from './sample.ts'

const answeredWithinMs = 30_000
const askEveryMs = 10_000

/** Updates over HTTP. Commands come with their answers; how they went is told with the next. */
export class HttpChannel implements Channel {
  isConnected = false
  readonly #http: AgentHttp
  readonly #commands: CommandRunner | undefined
  readonly #onNews: () => void
  readonly #onRefused: (error: unknown) => void
  #news: { said: CommandNews; heard: () => void }[] = []
  #askedAt = 0

  constructor(
    { onCommand, ...credentials }: AgentCredentials,
    told: { onNews: () => void; onRefused: (error: unknown) => void },
  ) {
    this.#http = new AgentHttp(credentials)
    this.#commands = onCommand && new CommandRunner(onCommand)
    this.#onNews = told.onNews
    this.#onRefused = told.onRefused
  }

  get hasNews(): boolean {
    return this.#news.length > 0
  }

  get restMs(): number | undefined {
    return this.#commands && Math.max(0, this.#askedAt + askEveryMs - Date.now())
  }

  async connect(signal: AbortSignal): Promise<void> {
    await this.#watched(signal, (within) => this.#http.token(within))
  }

  async onboard(configuration: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    await this.#update({ configuration }, signal)
  }

  async deliver(samples: readonly Sample[], signal: AbortSignal): Promise<void> {
    await this.#update({ samples }, signal)
  }

  async exchange(signal: AbortSignal): Promise<void> {
    const news = this.#news
    if (news.length === 0 && this.restMs !== 0) return
    try {
      await this.#update(news.length > 0 ? { results: news.map(({ said }) => said) } : {}, signal)
    } catch (error) {
      if (!isForGood(error)) throw error
      // Said again it would be refused again.
      this.#onRefused(error)
    }
    this.#news = this.#news.filter((each) => !news.includes(each))
    for (const { heard } of news) heard()
  }

  async stop(): Promise<void> {
    this.isConnected = false
  }

  async #update(body: Record<string, unknown>, signal: AbortSignal): Promise<void> {
    const accepted = await this.#watched(signal, (within) => this.#http.update(body, within))
    this.#askedAt = Date.now()
    this.#carryOut(accepted)
  }

  /** Beside everything else: a command may take its time. */
  #carryOut({ commands }: UpdateAccepted): void {
    const say = (said: CommandNews) =>
      new Promise<void>((heard) => {
        this.#news = [...this.#news, { said, heard }]
        this.#onNews()
      })
    for (const command of commands) void this.#commands?.take(command, say)
  }

  async #watched<T>(signal: AbortSignal, work: (within: AbortSignal) => Promise<T>): Promise<T> {
    try {
      const done = await work(AbortSignal.any([signal, AbortSignal.timeout(answeredWithinMs)]))
      this.isConnected = true
      return done
    } catch (error) {
      this.isConnected = false
      throw error
    }
  }
}
