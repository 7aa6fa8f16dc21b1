import type { BodyOf, OperationId, ParamsOf, QueryOf, ReplyOf } from '@manc/contract'
import { MancError, NotLoggedIn, refusalOf, Unreachable } from './errors.ts'
import { type Route, routes } from './generated/routes.ts'
import { type Credentials, type KeptToken, Session } from './session.ts'
import type { Stream } from './stream.ts'
import { backoffMs, wait } from './wait.ts'

export interface MancOptions {
  /** Where the controller is, for example `https://manc.example.org`. */
  url: string
  /** Who calls. With them the token is renewed by itself. */
  credentials?: Credentials
  /** A token from an earlier login, used until it ends. */
  token?: KeptToken
  /** Told of every new token, to keep it for later. */
  onToken?: (token: KeptToken) => void
  /** For how long a request is tried again where that is safe; 30 s where nothing is said. */
  retryForMs?: number
  /** Instead of the global one. */
  fetch?: typeof fetch
}

export interface CallOptions {
  signal?: AbortSignal
  /** The same of the same caller within 24 hours is the same request. One is made where none is given. */
  idempotencyKey?: string
}

export interface PageOptions extends CallOptions {
  /** Number of items in one request. */
  pageSize?: number
}

/** One item of an operation that answers with a list. */
export type ItemOf<Id extends OperationId> = ReplyOf<Id> extends (infer Item)[] ? Item : never

type Scalar = string | number | boolean | Date
/** The names are the contract's; the values, what becomes their text. */
type Wire<Query> = { [Name in keyof Query]?: Scalar | readonly Scalar[] | undefined }

export interface Input<Id extends OperationId> {
  params?: ParamsOf<Id>
  query?: Wire<QueryOf<Id>>
  body?: BodyOf<Id>
  /** Instead of the session's token: a setup or enrolment token. */
  bearer?: string
}

const answerWithinMs = 60_000

/** Requests by operation: with the token, with an idempotency key, tried again where that is safe. */
export class Transport {
  readonly session: Session
  readonly #url: URL
  readonly #fetch: typeof fetch
  readonly #retryForMs: number

  constructor({ url, credentials, token, onToken, retryForMs = 30_000, fetch: send }: MancOptions) {
    this.#url = addressOf(url)
    this.#fetch = send ?? ((...parts) => fetch(...parts))
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
    return await read<ReplyOf<Id>>(await this.#answer(id, input, options))
  }

  /** Every item of a long list, page by page, as they are asked for. */
  async *pages<Id extends OperationId>(
    id: Id,
    query: Wire<QueryOf<Id>>,
    { signal }: CallOptions = {},
  ): Stream<ItemOf<Id>> {
    for (let after: string | null | undefined; after !== null; ) {
      const page = { limit: 1000, ...query, ...(after !== undefined && { after }) } as Wire<QueryOf<Id>>
      const answer = await this.#answer(id, { query: page }, { ...(signal && { signal }) })
      yield* await read<ItemOf<Id>[]>(answer)
      const [, next] = /<([^>]*)>;\s*rel="next"/.exec(answer.headers.get('link') ?? '') ?? []
      after = next === undefined ? null : new URL(next, this.#url).searchParams.get('after')
    }
  }

  /** The address of a WebSocket beside the interface. */
  socketUrl(path: string): URL {
    const url = this.#at(path)
    url.protocol = url.protocol.replace('http', 'ws')
    return url
  }

  async #answer<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    { signal, idempotencyKey }: CallOptions,
  ): Promise<Response> {
    const route = routes[id]
    const headers: Record<string, string> = {}
    if (input.body !== undefined) headers['content-type'] = 'application/json'
    // Made once: however often the request is sent, it is the same one.
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
        { isSafe, signal },
      )
    const bearer = input.bearer ?? (route.open ? undefined : await this.session.token(signal))
    const answer = await send(bearer)
    if (answer.ok) return answer
    const refused = await refusalOf(answer)
    const isRenewable = refused instanceof NotLoggedIn && bearer !== undefined && input.bearer === undefined
    if (!isRenewable) throw refused
    // Revoked before its time: once more, with a new one.
    this.session.forget(bearer)
    if (!this.session.canRenew) throw refused
    const again = await send(await this.session.token(signal))
    if (again.ok) return again
    throw await refusalOf(again)
  }

  /** Sends until there is an answer worth having. What may have been done already is only repeated where that is safe. */
  async #persist(
    path: string,
    init: RequestInit,
    { isSafe, signal }: { isSafe: boolean; signal: AbortSignal | undefined },
  ): Promise<Response> {
    const until = Date.now() + this.#retryForMs
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted()
      const outcome = await this.#once(path, init, signal)
      const retryAfterS = retryAfterOf(outcome)
      const mayRepeat = retryAfterS !== undefined && (isSafe || statusOf(outcome) === 429)
      const pauseMs = Math.max(backoffMs(attempt), (retryAfterS ?? 0) * 1000)
      if (!mayRepeat || Date.now() + pauseMs > until) {
        if (outcome instanceof Response) return outcome
        throw outcome
      }
      if (outcome instanceof Response) await outcome.body?.cancel()
      await wait(pauseMs, signal)
    }
  }

  /** Also where the controller is below a path of its host. */
  #at(path: string): URL {
    return new URL(this.#url.href.replace(/\/$/, '') + path)
  }

  async #once(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response | Unreachable> {
    const limit = AbortSignal.timeout(answerWithinMs)
    try {
      return await this.#fetch(this.#at(path), {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
    } catch (error) {
      signal?.throwIfAborted()
      return new Unreachable(
        `The controller at ${this.#url.origin} does not answer (${reasonOf(error)}). Check the address, and that it runs.`,
        { cause: error },
      )
    }
  }
}

const statusOf = (outcome: Response | Unreachable) =>
  outcome instanceof Response ? outcome.status : undefined

/** Too busy or away, the controller itself or what stands before it. */
const comesBack = new Set([429, 502, 503, 504])

/** In seconds; undefined where trying again is no use. */
function retryAfterOf(outcome: Response | Unreachable): number | undefined {
  if (!(outcome instanceof Response)) return 0
  if (!comesBack.has(outcome.status)) return undefined
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
    throw new MancError(`${url} is no address of a controller. Write one like https://manc.example.org.`)
  return address
}

async function read<Reply>(answer: Response): Promise<Reply> {
  try {
    return (await answer.json()) as Reply
  } catch (error) {
    throw new MancError(
      'The answer was cut off, or is not from a controller. Check the address, and try again.',
      {
        cause: error,
      },
    )
  }
}

/** Pages without TLS have no `randomUUID`. */
const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** fetch hides why it failed in a cause. */
function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error
  if (name === 'TimeoutError') return `no answer within ${answerWithinMs / 1000} s`
  const code = (cause as { code?: string } | undefined)?.code
  return code ?? (cause instanceof Error ? cause.message : message)
}
