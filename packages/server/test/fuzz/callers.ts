import { admin as administrator, call, tokenOf } from '@manc/harness'
import { keyMark, passwordMark } from './names.ts'

export const callerNames = [
  'anonymous',
  'forged token',
  'admin',
  'operator',
  'user',
  'agent',
  'app',
  'limited app',
  'enrolment token',
] as const
export type CallerName = (typeof callerNames)[number]

/** Records of the callers. Generated requests rarely name them. */
const accounts = {
  operator: 'caller-operator@fuzz.test',
  user: 'caller-user@fuzz.test',
  agent: 'caller-agent',
  app: 'caller-app',
  'limited app': 'caller-limited-app',
} as const

const password = `${passwordMark}-of-callers`
const apiKey = `${keyMark}-of-callers`

/** A login that succeeds with `login_type=user`. */
export const callerLogin = { username: accounts.user, password }

/** The tokens of all kinds of callers. A request may revoke one: it is then created again. */
export class Callers {
  readonly #url: string
  readonly #adminToken: () => Promise<string>
  readonly #tokens = new Map<CallerName, string>()

  constructor(url: string, adminToken: () => Promise<string>) {
    this.#url = url
    this.#adminToken = adminToken
  }

  async create(): Promise<void> {
    for (const name of callerNames) await this.renew(name)
  }

  /** The headers with which this caller identifies itself. */
  headersOf(name: CallerName): Record<string, string> {
    const token = this.#tokens.get(name)
    return token === undefined ? {} : { authorization: `Bearer ${token}` }
  }

  /** Logs in again, after the account was created again if it is gone. */
  async renew(name: CallerName): Promise<void> {
    if (name === 'anonymous') return
    this.#tokens.set(name, await this.#newToken(name))
  }

  async #newToken(name: Exclude<CallerName, 'anonymous'>): Promise<string> {
    const admin = await this.#adminToken()
    const post = (path: string, body: unknown) => call(this.#url, 'POST', path, { token: admin, body })
    switch (name) {
      case 'forged token':
        return 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.'
      case 'admin':
        // Requests end this session, and not that of the suite.
        return tokenOf(this.#url, 'user', administrator.username, administrator.password)
      case 'enrolment token':
        return (await post('/api/v1/enrolment_tokens', { max_uses: 100_000 })).body.token
      case 'operator':
      case 'user': {
        const username = accounts[name]
        await post('/api/v1/users/', { username, password, roles: [name] })
        await call(this.#url, 'PUT', `/api/v1/users/${username}`, { token: admin, body: { password } })
        return tokenOf(this.#url, 'user', username, password)
      }
      case 'agent': {
        const ap_id = accounts.agent
        await post('/api/v1/agents/', { ap_id, password, configuration: {} })
        await call(this.#url, 'PUT', `/api/v1/agents/${ap_id}`, { token: admin, body: { password } })
        return tokenOf(this.#url, 'agent', ap_id, password)
      }
      default: {
        const app_name = accounts[name]
        const permissions = name === 'app' ? {} : { agents: ['fuzz-agent-0', 'new-*'], priority: 1 }
        await post('/api/v1/third_party_apps/', { app_name, api_key: apiKey, permissions })
        await call(this.#url, 'PUT', `/api/v1/third_party_apps/${app_name}`, {
          token: admin,
          body: { api_key: apiKey, permissions },
        })
        return tokenOf(this.#url, 'third_party_app', app_name, apiKey)
      }
    }
  }
}

/** Whether a token that was valid no longer is. */
export async function isRevoked(url: string, headers: Record<string, string>): Promise<boolean> {
  const { status } = await call(url, 'GET', '/api/v1/jobs?limit=1', { headers })
  return status === 401
}
