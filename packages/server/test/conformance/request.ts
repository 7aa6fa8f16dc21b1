import { isObject } from './document.ts'
import type { Operation } from './shape.ts'

export type QueryValue = string | string[]

/** One request of an operation, ready to be sent or to be spoiled. */
export interface Prepared {
  token?: string
  path?: Record<string, string>
  query?: Record<string, QueryValue>
  body?: unknown
  form?: Record<string, string>
  headers?: Record<string, string>
  /** Members of the answer whose values are known beforehand. */
  expected?: Record<string, unknown>
  /** Only where a success cannot be had; 200 otherwise. */
  status?: number
  /** What follows from the success besides the body of the answer. */
  effect?: { what: string; expected: unknown; read: (reply: Reply) => Promise<unknown> }
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  /** Undefined where the answer is not JSON. */
  json: unknown
}

/** The operation's address; `slash` turns its trailing slash around. */
function addressOf(operation: Operation, prepared: Prepared, slash: 'as-written' | 'other'): string {
  const written = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(prepared.path?.[name] ?? ''),
  )
  const path = slash === 'as-written' ? written : otherForm(written)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(prepared.query ?? {})) {
    for (const one of [value].flat()) query.append(name, one)
  }
  return query.size > 0 ? `${path}?${query.toString()}` : path
}

function otherForm(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : `${path}/`
}

export async function send(
  url: string,
  operation: Operation,
  prepared: Prepared,
  slash: 'as-written' | 'other' = 'as-written',
): Promise<Reply> {
  const headers = new Headers(prepared.headers)
  if (prepared.token !== undefined) headers.set('authorization', `Bearer ${prepared.token}`)
  const body = bodyOf(prepared, headers)
  const answer = await fetch(url + addressOf(operation, prepared, slash), {
    method: operation.method,
    headers,
    // A redirect must be seen as one: both forms of a path answer by themselves.
    redirect: 'manual',
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return { status: answer.status, headers: answer.headers, text, json: isJson ? parsed(text) : undefined }
}

/** A text as `body` is sent as it stands, so that malformed JSON can be sent too. */
function bodyOf(prepared: Prepared, headers: Headers): string | URLSearchParams | undefined {
  if (prepared.form) return new URLSearchParams(prepared.form)
  if (prepared.body === undefined) return undefined
  headers.set('content-type', 'application/json')
  return typeof prepared.body === 'string' ? prepared.body : JSON.stringify(prepared.body)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function memberOf(json: unknown, name: string): unknown {
  return isObject(json) ? json[name] : undefined
}
