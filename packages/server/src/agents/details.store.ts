import { type Postgres, sql } from '../engines/postgres.ts'
import { Together } from '../engines/together.ts'
import type { Agent } from './agents.store.ts'

export interface AgentDetails extends Agent {
  onboard: boolean
}

export class DetailsStore {
  readonly #postgres: Postgres
  readonly #createdAt: Together<string, Date>

  constructor(postgres: Postgres) {
    this.#postgres = postgres
    this.#createdAt = new Together((apIds) => this.#createdAtOf(apIds))
  }

  /** A page in the order of ids; with it the whole list is read piece by piece. */
  async page(after: string, limit: number): Promise<AgentDetails[]> {
    return this.#postgres.db
      .selectFrom('agents')
      .select(['id', 'ap_id as apId', 'configuration', 'onboard'])
      .where('ap_id', '>', after)
      .orderBy('ap_id')
      .limit(limit)
      .execute()
  }

  async pageWithState(after: string, limit: number): Promise<(AgentDetails & { online: boolean })[]> {
    return this.#postgres.db
      .selectFrom('agents')
      .leftJoin('fleet', 'fleet.ap_id', 'agents.ap_id')
      .select(['agents.id', 'agents.ap_id as apId', 'agents.configuration', 'agents.onboard'])
      .select(sql<boolean>`coalesce(fleet.state = 'online', false)`.as('online'))
      .where('agents.ap_id', '>', after)
      .orderBy('agents.ap_id')
      .limit(limit)
      .execute()
  }

  /** Since when there has been this agent; undefined where there is none. */
  createdAt(apId: string): Promise<Date | undefined> {
    return this.#createdAt.find(apId)
  }

  async #createdAtOf(apIds: string[]): Promise<Map<string, Date>> {
    const rows = await this.#postgres.read<{ apId: string; createdAt: Date }>(
      'agents created at',
      'select ap_id as "apId", created_at as "createdAt" from agents where ap_id = any($1)',
      [apIds],
    )
    return new Map(rows.map(({ apId, createdAt }) => [apId, createdAt]))
  }
}
