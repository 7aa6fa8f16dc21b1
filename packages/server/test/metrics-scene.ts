import type { AgentMetrics } from '@manc/contract'
import {
  type ApiResponse,
  admin,
  call,
  createEnvironment,
  type Replica,
  startReplica,
  type TestEnvironment,
  tokenOf,
} from '@manc/harness'
import { MetricsStore, StoreProxy } from '@manc/harness/metrics-store'
import { expect, inject } from 'vitest'

export interface Read {
  agent_id: string
  window_minutes: number
  series: { metric: string; points: { ts: string; value: number }[] }[]
}

/** Begins the names of agents: other suites share the store. */
export const run = `m${Date.now().toString(36)}${process.pid.toString(36)}`

/** A server that reads the store through a doorway, and those who ask it. */
export class MetricsScene {
  readonly environment: TestEnvironment
  readonly storeProxy: StoreProxy
  readonly store: MetricsStore
  readonly #server: Replica
  readonly #adminToken: string

  private constructor(
    parts: Pick<MetricsScene, 'environment' | 'storeProxy' | 'store' | 'adminToken'> & { server: Replica },
  ) {
    this.environment = parts.environment
    this.storeProxy = parts.storeProxy
    this.store = parts.store
    this.#server = parts.server
    this.#adminToken = parts.adminToken
  }

  static async open(): Promise<MetricsScene> {
    const { victoria } = inject('engines')
    const storeProxy = new StoreProxy(victoria)
    const environment = await createEnvironment(inject('engines'))
    const server = await startReplica({
      ...environment.variables,
      MANC_VICTORIA_URL: await storeProxy.start(),
    })
    const adminToken = await tokenOf(server.url, 'user', admin.username, admin.password)
    return new MetricsScene({
      environment,
      storeProxy,
      store: new MetricsStore(victoria),
      server,
      adminToken,
    })
  }

  async close(): Promise<void> {
    await this.#server.stop()
    this.storeProxy.stop()
    await this.environment.drop()
  }

  get url(): string {
    return this.#server.url
  }

  get adminToken(): string {
    return this.#adminToken
  }

  /** Without a token where that is null. */
  get(path: string, token: string | null = this.adminToken): Promise<ApiResponse> {
    return call(this.url, 'GET', `/api/v1/metrics/${path}`, token === null ? {} : { token })
  }

  async all(agent: string, window = '5', token = this.adminToken): Promise<Read> {
    return this.#ok(`agent_data?${new URLSearchParams({ agent, window }).toString()}`, token)
  }

  async chosen(agent: string, names: string[], window = '5', token = this.adminToken): Promise<Read> {
    const query = new URLSearchParams({ agent, window })
    for (const name of names) query.append('metrics', name)
    return this.#ok(`agent_multi_metric_data?${query.toString()}`, token)
  }

  async names(agent: string, window = '5', token = this.adminToken): Promise<AgentMetrics> {
    return this.#ok(`agent_metrics?${new URLSearchParams({ agent, window }).toString()}`, token)
  }

  /** Answers the token of a new agent. */
  async agent(ap_id: string): Promise<string> {
    await this.post('/api/v1/agents/', { ap_id, password: 'p', configuration: {} })
    return tokenOf(this.url, 'agent', ap_id, 'p')
  }

  /** Answers the token of a new app. */
  async app(name: string, permissions: object): Promise<string> {
    await this.post('/api/v1/third_party_apps/', { app_name: name, api_key: 'k', permissions })
    return tokenOf(this.url, 'third_party_app', name, 'k')
  }

  async post(path: string, body: unknown): Promise<void> {
    const answer = await call(this.url, 'POST', path, { token: this.adminToken, body })
    expect([path, answer.status]).toEqual([path, 200])
  }

  async #ok(path: string, token: string): Promise<any> {
    const { status, body } = await this.get(path, token)
    expect([path, status]).toEqual([path, 200])
    return body
  }
}
