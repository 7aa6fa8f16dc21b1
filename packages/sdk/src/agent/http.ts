import type { Token, UpdateAccepted } from '@manc/contract'
import { type CommandHandler, type CommandNews, CommandRunner } from './commands.ts'
import { AgentRefused } from './errors.ts'
import type { Sample } from './sample.ts'

export interface AgentCredentials {
  /** Where the controller is, for example `https://manc.example.org`. */
  url: string
  apId: string
  password: string
  /** Without one, commands are not taken and expire. */
  onCommand?: CommandHandler
}

/** A token is renewed when this part of its life is left. */
const renewAt = 0.2

/** The agent's side of the HTTP channel: log in, onboard, send. */
export class AgentHttp {
  readonly #credentials: AgentCredentials
  readonly #commands: CommandRunner | undefined
  #token: { text: string; renewAfter: number } | undefined

  constructor(credentials: AgentCredentials) {
    this.#credentials = credentials
    this.#commands = credentials.onCommand && new CommandRunner(credentials.onCommand)
  }

  /** A live token; logs in where there is none, or where it is about to end. */
  async token(signal?: AbortSignal): Promise<string> {
    if (this.#token && Date.now() < this.#token.renewAfter) return this.#token.text
    const { apId, password } = this.#credentials
    const answer = await this.#post<Token>(
      '/api/v1/token/?login_type=agent',
      new URLSearchParams({ username: apId, password }),
      {},
      signal,
    )
    const lifeMs = answer.expires_in * 1000
    this.#token = { text: answer.access_token, renewAfter: Date.now() + lifeMs * (1 - renewAt) }
    return answer.access_token
  }

  /** After a refusal the next call logs in anew. */
  forgetToken(): void {
    this.#token = undefined
  }

  /** Whether the controller still takes the token, which costs it far less than another login; forgets it if not. */
  async checkToken(signal?: AbortSignal): Promise<void> {
    if (!this.#token) return
    const { url, apId } = this.#credentials
    const answer = await fetch(new URL(`/api/v1/agents/${encodeURIComponent(apId)}`, url), {
      headers: { authorization: `Bearer ${this.#token.text}` },
      ...(signal && { signal }),
    })
    await answer.body?.cancel()
    if (answer.status === 401) this.forgetToken()
  }

  onboard(configuration: Record<string, unknown>, signal?: AbortSignal): Promise<UpdateAccepted> {
    return this.update({ configuration }, signal)
  }

  /** Resolved means safe: no crash of one process can lose them. */
  send(samples: readonly Sample[], signal?: AbortSignal): Promise<UpdateAccepted> {
    return this.update({ samples }, signal)
  }

  async update(body: Record<string, unknown>, signal?: AbortSignal): Promise<UpdateAccepted> {
    const path = '/api/v1/agent_update/update'
    const sendOnce = async () =>
      this.#post<UpdateAccepted>(
        path,
        JSON.stringify(body),
        { authorization: `Bearer ${await this.token(signal)}`, 'content-type': 'application/json' },
        signal,
      )
    const accepted = await sendOnce().catch((error: unknown) => {
      if (!(error instanceof AgentRefused && error.status === 401)) throw error
      this.forgetToken()
      return sendOnce()
    })
    await this.#carryOut(accepted, signal)
    return accepted
  }

  /** The answer to an update brings the commands that wait; what becomes of them is told in another. */
  async #carryOut({ commands }: UpdateAccepted, signal: AbortSignal | undefined): Promise<void> {
    const runner = this.#commands
    if (!runner || commands.length === 0) return
    const results: CommandNews[] = []
    const say = async (news: CommandNews) => {
      if (news.state === 'delivered') await this.update({ results: [news] }, signal)
      else results.push(news)
    }
    await Promise.all(commands.map((command) => runner.take(command, say)))
    if (results.length > 0) await this.update({ results }, signal)
  }

  async #post<T>(
    path: string,
    body: string | URLSearchParams,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const answer = await fetch(new URL(path, this.#credentials.url), {
      method: 'POST',
      headers,
      body,
      ...(signal && { signal }),
    })
    const text = await answer.text()
    if (answer.ok) return JSON.parse(text) as T
    const retryAfter = answer.headers.get('retry-after')
    throw new AgentRefused(answer.status, text, retryAfter === null ? undefined : Number(retryAfter))
  }
}
