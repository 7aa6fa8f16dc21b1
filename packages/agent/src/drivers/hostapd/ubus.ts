import { fetchWith, type TlsOptions } from '@manc/sdk/tls'
import { boundedText, request, shown } from '../http.ts'
import { type Json, objectOf } from '../json.ts'

const noSession = '00000000000000000000000000000000'
const maxAnswerMib = 4
/** ubus: UBUS_STATUS_METHOD_NOT_FOUND, UBUS_STATUS_NOT_FOUND and UBUS_STATUS_PERMISSION_DENIED. */
const noMethod = 3
const notFound = 4
const permissionDenied = 6
/** JSON-RPC of uhttpd: there is no such object; the session has expired, or may not do this. */
const noObject = -32000
const accessDenied = -32002

interface Credentials {
  url: string
  username: string
  password: string
  tls: TlsOptions | undefined
}

/** The device has answered, and does not do what was asked. */
export class UbusRefused extends Error {
  override readonly name = 'UbusRefused'
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** Calls of ubus over HTTP (uhttpd-mod-ubus, rpcd). It logs in when that is needed. */
export class Ubus {
  readonly #credentials: Credentials
  readonly #fetch: typeof fetch
  #session: string | undefined
  /** Calls at the same time share one login: each costs the device a password hash and a session. */
  #loggingIn: Promise<string> | undefined
  /** Calls that a new session was denied: another login would not help. */
  readonly #denied = new Set<string>()
  #calls = 0

  constructor(credentials: Credentials) {
    this.#credentials = credentials
    this.#fetch = fetchWith(credentials.tls)
  }

  async call(object: string, method: string, args: object, signal: AbortSignal): Promise<Json> {
    const name = `${object} ${method}`
    for (let isNew = this.#session === undefined; ; isNew = true) {
      const session = await this.#logIn(signal)
      try {
        const answer = await this.#call(session, object, method, args, signal)
        this.#denied.delete(name)
        return answer
      } catch (error) {
        if (!isDenial(error)) throw error
        if (isNew) this.#denied.add(name)
        if (this.#denied.has(name)) throw error
        // The session may have expired. Another call may have replaced it already.
        if (this.#session === session) this.#session = undefined
      }
    }
  }

  /** Objects of ubus whose names match. */
  async list(pattern: string, signal: AbortSignal): Promise<string[]> {
    const result = await this.#post('list', [pattern], signal)
    return Object.keys(objectOf(result))
  }

  /**
   * Notifications of an object, as server-sent events: `event: NAME`, `data: JSON`. Undefined if the device does not have them
   * (uhttpd before 2021), or the account may not subscribe.
   */
  async subscribe(object: string, signal: AbortSignal): Promise<AsyncIterable<UbusEvent> | undefined> {
    const session = await this.#logIn(signal)
    const url = `${this.#credentials.url.replace(/\/$/, '')}/subscribe/${encodeURIComponent(object)}`
    const response = await this.#send(url, { headers: { authorization: `Bearer ${session}` }, signal })
    if (!response.ok || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
      await response.body?.cancel()
      return undefined
    }
    return eventsOf(response)
  }

  async #logIn(signal: AbortSignal): Promise<string> {
    if (this.#session !== undefined) return this.#session
    this.#loggingIn ??= this.#newSession(signal).finally(() => {
      this.#loggingIn = undefined
    })
    return this.#loggingIn
  }

  async #newSession(signal: AbortSignal): Promise<string> {
    const { url, username, password } = this.#credentials
    try {
      const answer = await this.#call(noSession, 'session', 'login', { username, password }, signal)
      const session = answer['ubus_rpc_session']
      if (typeof session !== 'string' || !/^\w{1,128}$/.test(session))
        throw new UbusRefused('The answer has no session.', 0)
      this.#session = session
      return session
    } catch (error) {
      if (!(error instanceof UbusRefused)) throw error
      if (error.code === noObject)
        throw new Error(`${shown(url)} has no sessions. Install rpcd on the device, and start it.`, {
          cause: error,
        })
      throw new Error(`${shown(url)} refuses the login of ${username}. Check username and password.`, {
        cause: error,
      })
    }
  }

  async #call(
    session: string,
    object: string,
    method: string,
    args: object,
    signal: AbortSignal,
  ): Promise<Json> {
    const result = await this.#post('call', [session, object, method, args], signal)
    const [code, data] = Array.isArray(result) ? (result as unknown[]) : [result, undefined]
    if (code === 0) return objectOf(data)
    throw refusal(`${object} ${method}`, Number(code))
  }

  async #post(method: string, params: unknown[], signal: AbortSignal): Promise<unknown> {
    this.#calls += 1
    const response = await this.#send(this.#credentials.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: this.#calls, method, params }),
      signal,
    })
    const text = await boundedText(response, maxAnswerMib)
    if (!response.ok)
      throw new Error(
        `${shown(this.#credentials.url)} answered with status ${response.status}. Check the address; install uhttpd-mod-ubus.`,
      )
    const { result, error } = parsed(text, this.#credentials.url)
    if (error) throw refusal(params.slice(1, 3).join(' '), Number(objectOf(error)['code'] ?? 0))
    return result
  }

  #send(url: string, init: RequestInit): Promise<Response> {
    return request(this.#fetch, url, init, 'Check the address, and that uhttpd runs.')
  }
}

export interface UbusEvent {
  name: string
  data: Json
}

const isDenial = (error: unknown): boolean =>
  error instanceof UbusRefused && (error.code === permissionDenied || error.code === accessDenied)

function refusal(what: string, code: number): UbusRefused {
  if (code === permissionDenied || code === accessDenied)
    return new UbusRefused(
      `The account may not use ${what}. Add it to its ACL in /usr/share/rpcd/acl.d.`,
      code,
    )
  if (code === notFound || code === noObject)
    return new UbusRefused(`The device has no ${what}. Check the interface.`, code)
  if (code === noMethod)
    return new UbusRefused(
      `The device does not support ${what}. Install a full hostapd there: wpad-mbedtls instead of wpad-basic-mbedtls.`,
      code,
    )
  return new UbusRefused(
    `${what} failed with code ${code} of ubus. logread on the device may have the reason.`,
    code,
  )
}

function parsed(text: string, url: string): Json {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    throw new Error(`${shown(url)} did not answer with JSON. Check the address: usually http://…/ubus.`)
  }
}

async function* eventsOf(response: Response): AsyncIterable<UbusEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxAnswerMib * 1_048_576) throw new Error('An event of ubus has more than 4 MiB.')
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parseEvent(text.slice(0, end))
      text = text.slice(end + 2)
      if (event) yield event
    }
  }
}

/** Undefined for comments, and data that is no JSON object. */
function parseEvent(block: string): UbusEvent | undefined {
  const name = /^event: ?(.*)$/m.exec(block)?.[1]?.trim()
  const data = /^data: ?(.*)$/m.exec(block)?.[1]
  if (name === undefined || data === undefined) return undefined
  try {
    return { name, data: objectOf(JSON.parse(data)) }
  } catch {
    return undefined
  }
}
