import type { Decision, NetworkEvent } from '@manc/contract'
import { call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { expect } from 'vitest'

export const soon = { timeout: 60_000, interval: 100 }

const decisionScopes = ['decisions:read', 'decisions:write', 'commands:send']

/** A registered agent, which is not connected. */
export async function agent(environment: TestEnvironment, configuration: object = {}): Promise<string> {
  const apId = uniqueName('decided')
  const body = { ap_id: apId, password: 'p', configuration }
  expect((await environment.request('POST', '/api/v1/agents/', body)).status).toBe(200)
  return apId
}

export interface App {
  name: string
  token: string
}

export async function app(environment: TestEnvironment, permissions: object = {}): Promise<App> {
  const name = uniqueName('app')
  const record = { app_name: name, api_key: 'k', permissions: { scopes: decisionScopes, ...permissions } }
  expect((await environment.request('POST', '/api/v1/third_party_apps/', record)).status).toBe(200)
  return { name, token: await tokenOf(environment.url, 'third_party_app', name, 'k') }
}

/** A valid decision about some access points. */
export const decisionOf = (apIds: readonly string[], more: object = {}) => ({
  policy: 'balance',
  mode: 'advise',
  reason: `${apIds[0]} is busy`,
  observed: apIds.map((apId) => ({ ap_id: apId, kpi: 'load_pct', value: 91, at: '2026-11-17T12:00:00Z' })),
  expected: apIds.map((apId) => ({ ap_id: apId, kpi: 'load_pct', from: 91, to: 60 })),
  commands: apIds.map((apId) => ({ ap_id: apId, command: 'set_power 10' })),
  ...more,
})

export class Decisions {
  readonly #environment: TestEnvironment

  constructor(environment: TestEnvironment) {
    this.#environment = environment
  }

  post(body: object, token: string, key?: string) {
    return call(this.#environment.url, 'POST', '/api/v1/decisions', {
      token,
      body,
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    })
  }

  async create(body: object, token: string, key?: string): Promise<Decision> {
    const { status, body: created } = await this.post(body, token, key)
    expect([status, created]).toEqual([200, expect.anything()])
    return created
  }

  async get(id: string, token?: string): Promise<Decision> {
    const { status, body } = await this.#environment.request(
      'GET',
      `/api/v1/decisions/${id}`,
      undefined,
      token,
    )
    expect([status, body]).toEqual([200, expect.anything()])
    return body
  }

  async list(query: string, token?: string): Promise<Decision[]> {
    const path = `/api/v1/decisions?${query}`
    const { status, body } = await this.#environment.request('GET', path, undefined, token)
    expect([status, body]).toEqual([200, expect.anything()])
    return body
  }

  decide(id: string, what: 'confirm' | 'reject', token?: string) {
    return this.#environment.request('POST', `/api/v1/decisions/${id}/${what}`, undefined, token)
  }

  /** The states of decisions in the events of an access point, the newest first. */
  async eventsOf(apId: string): Promise<unknown[]> {
    const path = `/api/v1/events?kind=decision&ap_id=${apId}`
    const { body } = await this.#environment.request('GET', path)
    return (body as NetworkEvent[]).map(({ data }) => data['state'])
  }
}

/** An access point takes its commands over HTTP, and reports an outcome for each. */
export class Device {
  readonly apId: string
  readonly #environment: TestEnvironment
  readonly #token: string

  private constructor(environment: TestEnvironment, apId: string, token: string) {
    this.#environment = environment
    this.apId = apId
    this.#token = token
  }

  static async of(environment: TestEnvironment, apId: string): Promise<Device> {
    return new Device(environment, apId, await tokenOf(environment.url, 'agent', apId, 'p'))
  }

  /** The next command: the replica of the request learns of new ones within a second. */
  async next(): Promise<{ id: string; command: string }> {
    let commands: { id: string; command: string }[] = []
    const read = async () => (commands = (await this.#update({})).commands).length
    await expect.poll(read, soon).toBe(1)
    const [command] = commands
    if (!command) throw new Error(`there is no command for ${this.apId}`)
    return command
  }

  /** As many commands as there are, in any number of responses. */
  async all(count: number): Promise<{ id: string; command: string }[]> {
    const commands = new Map<string, { id: string; command: string }>()
    const read = async () => {
      for (const each of (await this.#update({})).commands) commands.set(each.id, each)
      return commands.size
    }
    await expect.poll(read, soon).toBe(count)
    return [...commands.values()]
  }

  async report(id: string, state: string, result?: object): Promise<void> {
    await this.#update({ results: [{ id, state, ...(result && { result }) }] })
  }

  async #update(body: object): Promise<any> {
    const path = '/api/v1/agent_update/update'
    const response = await this.#environment.request(
      'POST',
      path,
      { ...body, configuration: {} },
      this.#token,
    )
    expect([response.status, response.body]).toEqual([200, expect.anything()])
    return response.body
  }
}
