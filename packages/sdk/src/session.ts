import type { LoginType, Token } from '@manc/contract'
import { refusalOf, SessionEnded } from './errors.ts'
import { routes } from './generated/routes.ts'
import { unlessAborted } from './wait.ts'

export interface Credentials {
  /** Kind of caller. The default is `user`. */
  loginType?: LoginType
  /** The user name, the `ap_id` or the `app_name`. */
  username: string
  /** The password, or the API key of an app. */
  password: string
  /**
   * False: the password is discarded after the login. The token of a user is then renewed without it, with
   * `manc.renewSession()`.
   */
  keepPassword?: boolean
}

/** A token and the time when it expires (epoch milliseconds). */
export interface KeptToken {
  accessToken: string
  expiresAt: number
}

/** A token is renewed when this share of its lifetime remains. */
const renewAt = 0.2

/** The bearer token. Logs in when one is needed, and again before it expires. */
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
        this.#token ? 'The token has expired. Log in again.' : 'Log in first: pass credentials or a token.',
      )
    signal?.throwIfAborted()
    // Concurrent callers share one login.
    this.#login ??= this.#logIn(this.#credentials)
    return unlessAborted(this.#login, signal)
  }

  /** Replaces the caller. */
  use(credentials: Credentials): void {
    this.leave()
    this.#credentials = credentials
  }

  /** The controller has rejected this token. */
  forget(accessToken: string): void {
    if (this.#token?.accessToken === accessToken) this.#token = undefined
  }

  /** Replaces the token by a new one of the same session. */
  async renew(): Promise<void> {
    const accessToken = await this.token()
    const { method, path } = routes.renewToken
    const response = await this.#send(path, { method, headers: { authorization: `Bearer ${accessToken}` } })
    if (!response.ok) throw await refusalOf(response)
    const renewed = (await response.json()) as Token
    // Unless leave() or use() was called in the meantime.
    if (this.#token?.accessToken === accessToken) this.#keep(renewed)
  }

  /** Ends the session on the controller. Without a valid token there is none. */
  async end(): Promise<void> {
    const token = this.#token
    this.leave()
    if (!token || token.expiresAt <= Date.now()) return
    const { method, path } = routes.endSession
    const headers = { authorization: `Bearer ${token.accessToken}` }
    const response = await this.#send(path, { method, headers })
    if (!response.ok && response.status !== 401) throw await refusalOf(response)
  }

  leave(): void {
    this.#credentials = undefined
    this.#token = undefined
    this.#login = undefined
  }

  #logIn(credentials: Credentials): Promise<string> {
    const login = this.#requestToken(credentials).then(
      (token) => {
        // Unless use() or leave() was called in the meantime.
        if (this.#login === login) {
          this.#keep(token)
          if (credentials.keepPassword === false) this.#credentials = undefined
        }
        return token.access_token
      },
      (error: unknown) => {
        if (this.#login === login) {
          this.#login = undefined
          if (credentials.keepPassword === false) this.#credentials = undefined
        }
        throw error
      },
    )
    // Callers get the error from their own await; all of them may have been aborted.
    login.catch(() => {})
    return login
  }

  #keep({ access_token: accessToken, expires_in: lifeS }: Token): void {
    this.#login = undefined
    this.#token = { accessToken, expiresAt: Date.now() + lifeS * 1000 }
    this.#renewAfter = Date.now() + lifeS * 1000 * (1 - renewAt)
    this.#onToken?.(this.#token)
  }

  async #requestToken({ loginType = 'user', username, password }: Credentials): Promise<Token> {
    const { method, path } = routes.logIn
    const response = await this.#send(`${path}?login_type=${loginType}`, {
      method,
      body: new URLSearchParams({ username, password }),
    })
    if (!response.ok) throw await refusalOf(response)
    return (await response.json()) as Token
  }
}
