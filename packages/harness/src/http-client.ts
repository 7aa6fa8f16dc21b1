import { setTimeout as sleep } from 'node:timers/promises'
import type { LoginType, Token } from '@manc/contract'

const maxLoginMs = 60_000

export interface ApiResponse<Body = any> {
  status: number
  headers: Headers
  /** Parsed where it is JSON, else the text. */
  body: Body
}

export interface RequestOptions {
  token?: string
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown
  form?: Record<string, string>
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** One request. Does not throw on an error status. */
export async function call(
  url: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<ApiResponse> {
  const headers: Record<string, string> = { ...options.headers }
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`
  let body: string | URLSearchParams | undefined
  if (options.form) body = new URLSearchParams(options.form)
  else if (options.body !== undefined) {
    headers['content-type'] ??= 'application/json'
    body = typeof options.body === 'string' ? options.body : JSON.stringify(options.body)
  }
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body }),
    ...(options.signal && { signal: options.signal }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

export function logIn(
  url: string,
  kind: LoginType,
  username: string,
  password: string,
  options: RequestOptions = {},
): Promise<ApiResponse> {
  return call(url, 'POST', `/api/v1/token/?login_type=${kind}`, { form: { username, password }, ...options })
}

/** While the server is unavailable it tries again: on a busy machine a query or a hash may take longer than it waits. */
export async function tokenOf(
  url: string,
  kind: LoginType,
  username: string,
  password: string,
): Promise<string> {
  for (const deadline = Date.now() + maxLoginMs; ; await sleep(200)) {
    const { status, body } = await logIn(url, kind, username, password)
    if (status === 200) return (body as Token).access_token
    if (status !== 503 || Date.now() > deadline)
      throw new Error(`login of ${username}: ${status} ${JSON.stringify(body)}`)
  }
}
