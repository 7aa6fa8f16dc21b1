import type { LoginType, Token } from '@manc/contract'
import { refusalOf, SessionEnded } from './errors.ts'
import { routes } from './generated/routes.ts'
import { unlessAborted } from './wait.ts'

export interface Credentials {
  /** Which kind of caller; a user where nothing is said. */
  loginType?: LoginType
  /** The user name, the `ap_id` or the `app_name`. */
  username: string
  /** The password, or the API key of an app. */
  password: string
}

/** A token, and when it ends (epoch milliseconds). */
export interface KeptToken {
  accessToken: string
  expiresAt: number
}

/** A token is renewed when this part of its life is left. */
const renewAt = 0.2

/** The bearer token: logs in when one is needed, and again before it ends. */
export class Session {
  readonly #send: (url: string, init: RequestInit) => Promise<Response>
  readonly #onToken: ((token: KeptToken) => void) | undefined
  #credentials: Credentials | undefined
  #token: KeptToken | undefined
  #renewAfter = Number.POSITIVE_INFINITY
  #login: Promise<string> | undefined

  constructor(options: {
    send: (url: string, init: RequestInit) => Promise<Response>
    credentials: Credentials | undefined
    token: KeptToken | undefined
    onToken: ((token: KeptToken) => void) | undefined
  }) {
    this.#send = options.send
    this.#credentials = options.credentials
    this.#token = options.token
    this.#onToken = options.onToken
  }

  /** Whether a refused token can be replaced by a new one. */
  get canRenew(): boolean {
    return this.#credentials !== undefined
  }

  async token(signal?: AbortSignal): Promise<string> {
    const now = Date.now()
    const usableUntil = this.canRenew
      ? Math.min(this.#renewAfter, this.#token?.expiresAt ?? 0)
      : this.#token?.expiresAt
    if (this.#token && now < (usableUntil ?? 0)) return this.#token.accessToken
    if (!this.#credentials)
      throw new SessionEnded(
        this.#token ? 'The token has ended. Log in again.' : 'Log in first: give credentials or a token.',
      )
    signal?.throwIfAborted()
    // Whoever needs a token meanwhile waits for the same login.
    this.#login ??= this.#logIn(this.#credentials)
    return unlessAborted(this.#login, signal)
  }

  /** From now on as this caller. */
  use(credentials: Credentials): void {
    this.leave()
    this.#credentials = credentials
  }

  /** The controller does not take it any more. */
  forget(accessToken: string): void {
    if (this.#token?.accessToken === accessToken) this.#token = undefined
  }

  leave(): void {
    this.#credentials = undefined
    this.#token = undefined
    this.#login = undefined
  }

  #logIn(credentials: Credentials): Promise<string> {
    const login = this.#ask(credentials).then(
      (token) => {
        // Unless somebody else has signed in meanwhile, or nobody is to be any more.
        if (this.#login === login) this.#keep(token)
        return token.access_token
      },
      (error: unknown) => {
        if (this.#login === login) this.#login = undefined
        throw error
      },
    )
    // Who waits for it hears of it. They may all have left.
    login.catch(() => {})
    return login
  }

  #keep({ access_token: accessToken, expires_in: lifeS }: Token): void {
    this.#login = undefined
    this.#token = { accessToken, expiresAt: Date.now() + lifeS * 1000 }
    this.#renewAfter = Date.now() + lifeS * 1000 * (1 - renewAt)
    this.#onToken?.(this.#token)
  }

  async #ask({ loginType = 'user', username, password }: Credentials): Promise<Token> {
    const { method, path } = routes.logIn
    const answer = await this.#send(`${path}?login_type=${loginType}`, {
      method,
      body: new URLSearchParams({ username, password }),
    })
    if (!answer.ok) throw await refusalOf(answer)
    return (await answer.json()) as Token
  }
}
