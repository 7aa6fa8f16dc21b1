import type { Token, UpdateAccepted } from '@manc/contract'
import { AgentRefused } from './errors.ts'
import type { Sample } from './sample.ts'

export interface AgentCredentials {
  /** Where the controller is, for example `https://manc.example.org`. */
  url: string
  apId: string
  password: string
}

/** A token is renewed when this part of its life is left. */
const renewAt = 0.2

/** The agent's side of the HTTP channel: log in, onboard, send. */
export class AgentHttp {
  readonly #credentials: AgentCredentials
  #token: { text: string; renewAfter: number } | undefined

  constructor(credentials: AgentCredentials) {
    this.#credentials = credentials
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
    try {
      return await sendOnce()
    } catch (error) {
      if (!(error instanceof AgentRefused && error.status === 401)) throw error
      this.forgetToken()
      return sendOnce()
    }
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
