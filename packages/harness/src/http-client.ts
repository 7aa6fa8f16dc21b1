import type { LoginType, Token } from '@manc/contract'

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

export async function tokenOf(
  url: string,
  kind: LoginType,
  username: string,
  password: string,
): Promise<string> {
  const { status, body } = await logIn(url, kind, username, password)
  if (status !== 200) throw new Error(`login of ${username}: ${status} ${JSON.stringify(body)}`)
  return (body as Token).access_token
}
