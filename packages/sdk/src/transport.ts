import type { BodyOf, OperationId, ParamsOf, QueryOf, ReplyOf } from '@manc/contract'
import { fetchWith, openSocket, tlsAdvice } from '#tls'
import { MancError, NotLoggedIn, refusalOf, Unreachable } from './errors.ts'
import { type Route, routes } from './generated/routes.ts'
import { type Credentials, type KeptToken, Session } from './session.ts'
import type { Stream } from './stream.ts'
import type { TlsOptions } from './tls-options.ts'
import { backoffMs, wait } from './wait.ts'

export interface MancOptions {
  /** URL of the controller, for example `https://manc.example.org`. */
  url: string
  /** Credentials of the caller. With them the token is renewed automatically. */
  credentials?: Credentials
  /** A token from an earlier login, used until it expires. */
  token?: KeptToken
  /** Called with every new token, for example to store it. */
  onToken?: (token: KeptToken) => void
  /** How long a request is retried if that is safe. The default is 30 s. */
  retryForMs?: number
  /** A private CA, and a client certificate. Not in browsers. */
  tls?: TlsOptions
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch
}

export interface CallOptions {
  signal?: AbortSignal
  /** Requests of one caller with the same key within 24 hours are processed once. Generated if absent. */
  idempotencyKey?: string
}

export interface PageOptions extends CallOptions {
  /** Number of items in one request. */
  pageSize?: number
}

/** One item of an operation that answers with a list. */
export type ItemOf<Id extends OperationId> = ReplyOf<Id> extends (infer Item)[] ? Item : never

type Scalar = string | number | boolean | Date
/** Names of the contract, with values that can be written as text. */
type Wire<Query> = { [Name in keyof Query]?: Scalar | readonly Scalar[] | undefined }

export interface Input<Id extends OperationId> {
  params?: ParamsOf<Id>
  query?: Wire<QueryOf<Id>>
  body?: BodyOf<Id>
  /** Replaces the session's token: a setup or enrolment token. */
  bearer?: string
}

const responseTimeoutMs = 60_000

/** Sends requests by operation, with token and idempotency key. Retries if that is safe. */
export class Transport {
  readonly session: Session
  readonly #url: URL
  readonly #tls: TlsOptions | undefined
  readonly #fetch: typeof fetch
  readonly #retryForMs: number

  constructor({ url, credentials, token, onToken, retryForMs = 30_000, tls, fetch: send }: MancOptions) {
    this.#url = addressOf(url)
    this.#tls = tls
    this.#fetch = send ?? fetchWith(tls)
    this.#retryForMs = retryForMs
    this.session = new Session({
      send: (path, init) => this.#persist(path, init, { isSafe: true, signal: undefined }),
      credentials,
      token,
      onToken,
    })
  }

  async call<Id extends OperationId>(
    id: Id,
    input: Input<Id> = {},
    options: CallOptions = {},
  ): Promise<ReplyOf<Id>> {
    return await read<ReplyOf<Id>>(await this.#request(id, input, options))
  }

  /** All items of a list. A page is requested when the iteration reaches it. */
  async *pages<Id extends OperationId>(
    id: Id,
    query: Wire<QueryOf<Id>>,
    { signal }: CallOptions = {},
    params?: Record<string, string>,
  ): Stream<ItemOf<Id>> {
    for (let after: string | null | undefined; after !== null; ) {
      const page = { limit: 1000, ...query, ...(after !== undefined && { after }) } as Wire<QueryOf<Id>>
      const input = { query: page, ...(params && { params }) } as Input<Id>
      const response = await this.#request(id, input, { ...(signal && { signal }) })
      yield* await read<ItemOf<Id>[]>(response)
      const [, next] = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('link') ?? '') ?? []
      after = next === undefined ? null : new URL(next, this.#url).searchParams.get('after')
    }
  }

  /** The lines of an operation that answers with JSON lines. The time limit is for the start of the response. */
  async *lines<Id extends OperationId>(id: Id, input: Input<Id>, options: CallOptions = {}): Stream<string> {
    const response = await this.#request(id, input, options, { isStream: true })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    if (!reader) return
    let rest = ''
    try {
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        const lines = (rest + chunk.value).split('\n')
        rest = lines.pop() ?? ''
        yield* lines
      }
      if (rest !== '') yield rest
    } finally {
      await reader.cancel().catch(() => {})
    }
  }

  openSocket(path: string, protocols: string[]): Promise<WebSocket> {
    const url = this.#at(path)
    url.protocol = url.protocol.replace('http', 'ws')
    return openSocket(url, protocols, this.#tls)
  }

  async #request<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    { signal, idempotencyKey }: CallOptions,
    { isStream = false } = {},
  ): Promise<Response> {
    const route = routes[id]
    const headers: Record<string, string> = {}
    if (input.body !== undefined) headers['content-type'] = 'application/json'
    // Generated once for all attempts of this request.
    if (route.idempotent) headers['idempotency-key'] = idempotencyKey ?? newKey()
    const isSafe = route.method === 'GET' || route.method === 'PUT' || route.idempotent === true
    const send = (bearer: string | undefined) =>
      this.#persist(
        pathOf(route, input),
        {
          method: route.method,
          headers: { ...headers, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) },
          ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
        },
        { isSafe, signal, isStream },
      )
    const bearer = input.bearer ?? (route.open ? undefined : await this.session.token(signal))
    const response = await send(bearer)
    if (response.ok) return response
    const refused = await refusalOf(response)
    const isRenewable = refused instanceof NotLoggedIn && bearer !== undefined && input.bearer === undefined
    if (!isRenewable) throw refused
    // The token was revoked: retry once with a new one.
    this.session.forget(bearer)
    if (!this.session.canRenew) throw refused
    const again = await send(await this.session.token(signal))
    if (again.ok) return again
    throw await refusalOf(again)
  }

  /** Sends with retries. A request that may already have taken effect is only repeated if that is safe. */
  async #persist(
    path: string,
    init: RequestInit,
    {
      isSafe,
      signal,
      isStream = false,
    }: { isSafe: boolean; signal: AbortSignal | undefined; isStream?: boolean },
  ): Promise<Response> {
    const until = Date.now() + this.#retryForMs
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted()
      const outcome = await this.#once(path, init, { signal, isStream })
      const retryAfterS = retryAfterOf(outcome)
      const mayRepeat = retryAfterS !== undefined && (isSafe || statusOf(outcome) === 429)
      const pauseMs = Math.max(backoffMs(attempt), (retryAfterS ?? 0) * 1000)
      if (!mayRepeat || Date.now() + pauseMs > until) {
        if (outcome instanceof Unreachable) throw outcome
        return outcome
      }
      if (!(outcome instanceof Unreachable)) await outcome.body?.cancel()
      await wait(pauseMs, signal)
    }
  }

  /** The controller may be served below a path of its host. */
  #at(path: string): URL {
    return new URL(this.#url.href.replace(/\/$/, '') + path)
  }

  async #once(
    path: string,
    init: RequestInit,
    { signal, isStream }: { signal: AbortSignal | undefined; isStream: boolean },
  ): Promise<Response | Unreachable> {
    const limit = timeLimit()
    try {
      const response = await this.#fetch(this.#at(path), {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
      })
      if (isStream) limit.lift()
      return response
    } catch (error) {
      signal?.throwIfAborted()
      const next = tlsAdvice(error) ?? 'Check the address, and that it is running.'
      return new Unreachable(
        `The controller at ${this.#url.origin} does not respond (${reasonOf(error)}). ${next}`,
        { cause: error },
      )
    }
  }
}

function timeLimit() {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new DOMException('The response takes too long.', 'TimeoutError')),
    responseTimeoutMs,
  )
  // Node would wait for the timer before it ends; browsers have numbers as timers.
  if (typeof timer === 'object') timer.unref()
  return { signal: controller.signal, lift: () => clearTimeout(timer) }
}

const statusOf = (outcome: Response | Unreachable) =>
  outcome instanceof Unreachable ? undefined : outcome.status

/** Overloaded or unavailable: the controller or a proxy in front of it. */
const retriableStatuses = new Set([429, 502, 503, 504])

/** In seconds; undefined if a retry is of no use. */
function retryAfterOf(outcome: Response | Unreachable): number | undefined {
  if (outcome instanceof Unreachable) return tlsAdvice(outcome) === undefined ? 0 : undefined
  if (!retriableStatuses.has(outcome.status)) return undefined
  const seconds = Number(outcome.headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) ? seconds : 0
}

function pathOf(route: Route, { params, query }: { params?: unknown; query?: unknown }): string {
  const values = new Map<string, unknown>(Object.entries(params ?? {}))
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values.get(name))),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}) as [string, Scalar | Scalar[] | undefined][])
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) search.append(name, each instanceof Date ? each.toISOString() : String(each))
  return search.size > 0 ? `${path}?${search.toString()}` : path
}

function addressOf(url: string): URL {
  const address = URL.parse(url)
  if (!address || !/^https?:$/.test(address.protocol))
    throw new MancError(`${url} is not the URL of a controller. Use one like https://manc.example.org.`)
  return address
}

async function read<Reply>(response: Response): Promise<Reply> {
  try {
    return (await response.json()) as Reply
  } catch (error) {
    throw new MancError(
      'The response is incomplete, or not from a controller. Check the address, and try again.',
      {
        cause: error,
      },
    )
  }
}

/** Browsers have no `randomUUID` on pages without TLS. */
const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** `fetch` reports the reason of a failure in `cause`. */
function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error
  if (name === 'TimeoutError') return `no response within ${responseTimeoutMs / 1000} s`
  const code = (cause as { code?: string } | undefined)?.code
  return code ?? (cause instanceof Error ? cause.message : message)
}
