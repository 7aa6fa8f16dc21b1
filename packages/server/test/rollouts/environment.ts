import { type TestEnvironment, uniqueName } from '@manc/harness'
import { expect } from 'vitest'

export const soon = { timeout: 60_000, interval: 50 }
export const change = { power: { tx: 30 }, added: true }
export const initial = { power: { tx: 20 }, keep: 1 }
export const changed = { power: { tx: 30 }, keep: 1, added: true }

interface AgentOfRollout {
  ap_id: string
  stage: number
  state: string
  detail: string | null
  version: number | null
}

/** Requests about rollouts, and agents for them. */
export class Rollouts {
  readonly environment: TestEnvironment

  constructor(environment: TestEnvironment) {
    this.environment = environment
  }

  /**
   * Agents that are online and well, as far as the fleet knows. All but the first are copies of its rows, because a
   * password takes long to hash.
   */
  async createAgents(count: number, configuration: object = initial): Promise<string[]> {
    const prefix = uniqueName('rollout')
    const ids = Array.from({ length: count }, (_, n) => `${prefix}-${String(n).padStart(4, '0')}`)
    const [first = '', ...others] = ids
    const agent = { ap_id: first, password: 'a-password', configuration }
    expect((await this.environment.request('POST', '/api/v1/agents/', agent)).status).toBe(200)
    for (const [table, more] of [
      ['agents', `, 'id', gen_random_uuid()`],
      ['fleet', ''],
    ] as const)
      await this.environment.sql(
        `insert into ${table} select (json_populate_record(null::${table},
           (to_jsonb(model) || jsonb_build_object('ap_id', copied.ap_id${more}))::json)).*
         from ${table} as model, unnest($2::text[]) as copied (ap_id) where model.ap_id = $1`,
        [first, others],
      )
    await this.setState(ids, 'online')
    return ids
  }

  setState(ids: readonly string[], state: string, health = 'good') {
    return this.environment.sql(
      `update fleet set state = $2, kpi_health = $3, last_seen = now(), interval_s = 3600
       where ap_id = any($1::text[])`,
      [ids, state, health],
    )
  }

  async start(body: object, token?: string): Promise<string> {
    const response = await this.environment.request('POST', '/api/v1/rollouts', body, token)
    expect(response.status).toBe(200)
    return response.body.id as string
  }

  async get(id: string) {
    return (await this.environment.request('GET', `/api/v1/rollouts/${id}`)).body
  }

  /** Number of agents by state, without zeros. */
  async progress(id: string): Promise<Record<string, number>> {
    const { progress } = await this.get(id)
    return Object.fromEntries(Object.entries<number>(progress).filter(([, agents]) => agents > 0))
  }

  async agents(id: string, query = ''): Promise<AgentOfRollout[]> {
    return (await this.environment.request('GET', `/api/v1/rollouts/${id}/agents?limit=1000${query}`)).body
  }

  act(id: string, action: 'pause' | 'resume' | 'undo', token?: string) {
    return this.environment.request('POST', `/api/v1/rollouts/${id}/${action}`, undefined, token)
  }

  becomes(id: string, state: string) {
    return expect.poll(() => this.get(id), soon).toMatchObject({ state })
  }

  /** Until the agents of a stage are observed. */
  observed(id: string) {
    return expect.poll(async () => (await this.get(id)).next_at, soon).not.toBe(null)
  }

  /** Ends the observation of the stage. */
  endWait(id: string) {
    return this.environment.sql(`update rollouts set due_at = now() where id = $1 and is_observing`, [id])
  }

  async configuration(apId: string) {
    return (await this.environment.request('GET', `/api/v1/agents/${apId}`)).body.configuration
  }

  configure(apId: string, configuration: object) {
    return this.environment.request('PUT', `/api/v1/agents/${apId}`, { configuration })
  }

  /** How many versions of its configuration each agent has, by number of versions. */
  async versions(apIds: readonly string[]): Promise<Record<string, number>> {
    const rows = await this.environment.sql(
      `select versions, count(*)::int as agents from (
         select count(*) as versions from agents join configuration_versions on agent_id = agents.id
         where ap_id = any($1::text[]) group by agents.id) as counted
       group by versions`,
      [apIds],
    )
    return Object.fromEntries(rows.map(({ versions, agents }) => [versions, agents]))
  }
}
