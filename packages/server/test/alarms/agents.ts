import { call, type TestEnvironment, uniqueName } from '@manc/harness'
import type { MetricsStore } from '@manc/harness/metrics-store'

/** A registered agent, which the fleet shows as online. No ingester runs that would change that. */
export async function onlineAgent(environment: TestEnvironment, technology = 'WiFi'): Promise<string> {
  const apId = uniqueName('alarmed')
  await environment.request('POST', '/api/v1/agents/', {
    ap_id: apId,
    password: 'p',
    configuration: { technology },
  })
  await setState(environment, apId, 'online')
  return apId
}

export async function setState(
  environment: TestEnvironment,
  apId: string,
  state: 'online' | 'stale' | 'offline',
): Promise<void> {
  await environment.sql('update fleet set state = $2, since = now(), last_seen = now() where ap_id = $1', [
    apId,
    state,
  ])
}

/** An agent that sends samples until it is told to stop. */
export class Sender {
  readonly apId: string
  readonly #store: MetricsStore
  readonly #metric: string
  value: number
  #isStopped = false
  #running: Promise<void> | undefined

  constructor(store: MetricsStore, apId: string, metric: string, value: number) {
    this.#store = store
    this.apId = apId
    this.#metric = metric
    this.value = value
  }

  start(): this {
    this.#isStopped = false
    this.#running = this.#run()
    return this
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#store.write(this.apId, [{ at: Date.now(), metrics: { [this.#metric]: this.value } }])
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  }
}

/** As vmalert sends it. */
export const alertOf = (
  apId: string,
  rule: { id: string; revision?: number },
  { value = 1, endsInMs = 60_000 }: { value?: number; endsInMs?: number } = {},
) => ({
  labels: { alertname: rule.id, rule_id: rule.id, revision: String(rule.revision ?? 1), ap_id: apId },
  annotations: { value: String(value) },
  startsAt: new Date().toISOString(),
  endsAt: new Date(Date.now() + endsInMs).toISOString(),
})

export const postAlerts = (environment: TestEnvironment, alerts: unknown) =>
  call(environment.server.internalUrl, 'POST', '/api/v2/alerts', { body: alerts })
