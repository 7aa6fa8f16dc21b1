import type { LoginType, Token } from '@manc/contract'

export interface Answer<Body = any> {
  status: number
  headers: Headers
  body: Body
}

export interface Call {
  token?: string
  /** Sent as JSON; a text is sent as it is. */
  body?: unknown
  form?: Record<string, string>
  headers?: Record<string, string>
}

/** One request, whatever its status. */
export async function call(url: string, method: string, path: string, given: Call = {}): Promise<Answer> {
  const headers: Record<string, string> = { ...given.headers }
  if (given.token !== undefined) headers['authorization'] = `Bearer ${given.token}`
  let body: string | URLSearchParams | undefined
  if (given.form) body = new URLSearchParams(given.form)
  else if (given.body !== undefined) {
    headers['content-type'] ??= 'application/json'
    body = typeof given.body === 'string' ? given.body : JSON.stringify(given.body)
  }
  const answer = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
}

export function logIn(url: string, kind: LoginType, username: string, password: string, more: Call = {}) {
  return call(url, 'POST', `/api/v1/token/?login_type=${kind}`, { form: { username, password }, ...more })
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
