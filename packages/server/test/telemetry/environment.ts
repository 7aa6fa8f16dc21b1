import type { AgentMetrics } from '@manc/contract'
import { type ApiResponse, call, createEnvironment, TestEnvironment, tokenOf } from '@manc/harness'
import { environmentTest } from '@manc/harness/fixture'
import { MetricsStore, StoreProxy } from '@manc/harness/metrics-store'
import { expect, inject } from 'vitest'

export interface Readings {
  agent_id: string
  window_minutes: number
  series: { metric: string; points: { ts: string; value: number }[] }[]
}

/** A prefix for agent ids: other suites write to the same store. */
export const run = `m${Date.now().toString(36)}${process.pid.toString(36)}`

/** A server that reads the metrics store through a proxy. */
export class MetricsEnvironment extends TestEnvironment {
  readonly storeProxy = new StoreProxy(this.engines.victoria)
  readonly store = new MetricsStore(this.engines.victoria)

  static async open(): Promise<MetricsEnvironment> {
    const base = await createEnvironment(inject('engines'))
    const environment = new MetricsEnvironment(base.engines, base.variables, () => base.drop())
    return environment.serve({ MANC_VICTORIA_URL: await environment.storeProxy.start() })
  }

  override async drop(): Promise<void> {
    this.storeProxy.stop()
    await super.drop()
  }

  /** A request below /api/v1/metrics; without a token where that is null. */
  get(path: string, token: string | null = this.adminToken): Promise<ApiResponse> {
    return call(this.url, 'GET', `/api/v1/metrics/${path}`, token === null ? {} : { token })
  }

  async allMetrics(agent: string, window = '5', token = this.adminToken): Promise<Readings> {
    return this.#read(`agent_data?${new URLSearchParams({ agent, window }).toString()}`, token)
  }

  async chosenMetrics(
    agent: string,
    names: string[],
    window = '5',
    token = this.adminToken,
  ): Promise<Readings> {
    const query = new URLSearchParams({ agent, window })
    for (const name of names) query.append('metrics', name)
    return this.#read(`agent_multi_metric_data?${query.toString()}`, token)
  }

  async metricNames(agent: string, window = '5', token = this.adminToken): Promise<AgentMetrics> {
    return this.#read(`agent_metrics?${new URLSearchParams({ agent, window }).toString()}`, token)
  }

  /** Registers an agent and returns its token. */
  async createAgent(ap_id: string): Promise<string> {
    await this.post('/api/v1/agents/', { ap_id, password: 'p', configuration: {} })
    return tokenOf(this.url, 'agent', ap_id, 'p')
  }

  /** Registers an app and returns its token. */
  async createApp(name: string, permissions: object): Promise<string> {
    await this.post('/api/v1/third_party_apps/', { app_name: name, api_key: 'k', permissions })
    return tokenOf(this.url, 'third_party_app', name, 'k')
  }

  async post(path: string, body: unknown): Promise<void> {
    const { status } = await this.request('POST', path, body)
    expect([path, status]).toEqual([path, 200])
  }

  async #read(path: string, token: string): Promise<any> {
    const { status, body } = await this.get(path, token)
    expect([path, status]).toEqual([path, 200])
    return body
  }
}

export const test = environmentTest(() => MetricsEnvironment.open())
