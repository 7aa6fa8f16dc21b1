import type { Token, UpdateAccepted } from '@manc/contract'
import { fetchWith } from '#tls'
import type { TlsOptions } from '../tls-options.ts'
import { type CommandHandler, type CommandNews, CommandRunner } from './commands.ts'
import { AgentRefused } from './errors.ts'
import type { Sample } from './sample.ts'

export interface AgentCredentials {
  /** The address of the controller, for example `https://manc.example.org`. */
  url: string
  apId: string
  password: string
  /** A private CA, and a client certificate. Agents with the same object share connections. */
  tls?: TlsOptions
  /** Without one, commands are not received and expire. */
  onCommand?: CommandHandler
}

/** A token is renewed when this part of its lifetime is left. */
const renewAt = 0.2

/** The agent's side of the HTTP channel: log in, onboard, send. */
export class AgentHttp {
  readonly #credentials: AgentCredentials
  readonly #commands: CommandRunner | undefined
  readonly #fetch: typeof fetch
  #token: { text: string; renewAfter: number } | undefined

  constructor(credentials: AgentCredentials) {
    this.#credentials = credentials
    this.#fetch = fetchWith(credentials.tls)
    this.#commands = credentials.onCommand && new CommandRunner(credentials.onCommand)
  }

  /** A valid token; logs in when there is none, or when it expires soon. */
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

  /** The next call logs in again. */
  forgetToken(): void {
    this.#token = undefined
  }

  /** Forgets the token if the controller refuses it. Costs the controller far less than a login. */
  async checkToken(signal?: AbortSignal): Promise<void> {
    if (!this.#token) return
    const { url, apId } = this.#credentials
    const answer = await this.#fetch(new URL(`/api/v1/agents/${encodeURIComponent(apId)}`, url), {
      headers: { authorization: `Bearer ${this.#token.text}` },
      ...(signal && { signal }),
    })
    await answer.body?.cancel()
    if (answer.status === 401) this.forgetToken()
  }

  onboard(configuration: Record<string, unknown>, signal?: AbortSignal): Promise<UpdateAccepted> {
    return this.update({ configuration }, signal)
  }

  /** Resolves when the samples are stored safely: the crash of one process cannot lose them. */
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
    await this.#runCommands(accepted, signal)
    return accepted
  }

  /** The response to an update contains waiting commands; their results are sent in another update. */
  async #runCommands({ commands }: UpdateAccepted, signal: AbortSignal | undefined): Promise<void> {
    const runner = this.#commands
    if (!runner || commands.length === 0) return
    const results: CommandNews[] = []
    const report = async (result: CommandNews) => {
      if (result.state === 'delivered') await this.update({ results: [result] }, signal)
      else results.push(result)
    }
    await Promise.all(commands.map((command) => runner.handle(command, report)))
    if (results.length > 0) await this.update({ results }, signal)
  }

  async #post<T>(
    path: string,
    body: string | URLSearchParams,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const answer = await this.#fetch(new URL(path, this.#credentials.url), {
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
