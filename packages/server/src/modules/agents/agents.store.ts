import { Batcher } from '../../engines/batcher.ts'
import { type Executor, type Postgres, sql } from '../../engines/postgres.ts'

export interface Agent {
  id: string
  apId: string
  /** JSON text as received. */
  configuration: string
}

export interface NewRow extends Agent {
  passwordHash: string
}

export interface AgentForLogin {
  id: string
  apId: string
  passwordHash: string
  tokenVersion: number
}

const columns = ['id', 'ap_id as apId', 'configuration'] as const
const loginColumns = [
  'id',
  'ap_id as apId',
  'password_hash as passwordHash',
  'token_version as tokenVersion',
] as const

export class AgentStore {
  readonly #postgres: Postgres
  readonly #byApId: Batcher<string, Agent>

  constructor(postgres: Postgres) {
    this.#postgres = postgres
    this.#byApId = new Batcher((apIds) => this.#findAll(apIds))
  }

  /** Undefined if the `ap_id` is taken. */
  async insert(
    tx: Executor,
    agent: { id: string; apId: string; passwordHash: string; configuration: string },
  ): Promise<Agent | undefined> {
    return tx
      .insertInto('agents')
      .values({
        id: agent.id,
        ap_id: agent.apId,
        password_hash: agent.passwordHash,
        configuration: agent.configuration,
      })
      .onConflict((conflict) => conflict.column('ap_id').doNothing())
      .returning(columns)
      .executeTakeFirst()
  }

  /** All agents of an emulation in one statement. */
  async insertEmulated(tx: Executor, emulation: string, agents: readonly NewRow[]): Promise<void> {
    const column = (name: keyof NewRow) => agents.map((agent) => agent[name])
    await sql`
      insert into agents (id, ap_id, password_hash, configuration, emulation)
      select id, ap_id, hash, configuration::json, ${emulation}
      from unnest(${column('id')}::uuid[], ${column('apId')}::text[], ${column('passwordHash')}::text[],
        ${column('configuration')}::text[]) as new (id, ap_id, hash, configuration)
    `.execute(tx)
  }

  /** Up to `max` agents of an emulation, locked. Without those that another transaction removes. */
  async lockEmulated(tx: Executor, emulation: string, max: number): Promise<{ id: string; apId: string }[]> {
    const { rows } = await sql<{ id: string; apId: string }>`
      select id, ap_id as "apId" from agents where emulation = ${emulation} limit ${max} for update skip locked
    `.execute(tx)
    return rows
  }

  async deleteAll(tx: Executor, ids: readonly string[]): Promise<void> {
    await tx.deleteFrom('agents').where('id', 'in', ids).execute()
  }

  /** The most frequent read of the API. Calls in the same turn of the event loop share one query. */
  find(apId: string): Promise<Agent | undefined> {
    return this.#byApId.find(apId)
  }

  async findForLogin(apId: string): Promise<AgentForLogin | undefined> {
    return this.#postgres.db
      .selectFrom('agents')
      .select(loginColumns)
      .where('ap_id', '=', apId)
      .executeTakeFirst()
  }

  /** Locked until the transaction ends: concurrent changes of an agent are serialized. */
  async lock(tx: Executor, apId: string): Promise<(Agent & AgentForLogin) | undefined> {
    return tx
      .selectFrom('agents')
      .select([...columns, ...loginColumns])
      .where('ap_id', '=', apId)
      .forUpdate()
      .executeTakeFirst()
  }

  async setConfiguration(tx: Executor, id: string, configuration: string): Promise<void> {
    await tx.updateTable('agents').set({ configuration }).where('id', '=', id).execute()
  }

  /** Answers those that were not. */
  async markOnboard(tx: Executor, apIds: string[]): Promise<string[]> {
    const { rows } = await sql<{ apId: string }>`
      update agents set onboard = true where ap_id = any(${apIds}) and not onboard returning ap_id as "apId"
    `.execute(tx)
    return rows.map(({ apId }) => apId)
  }

  /** Returns the new token version: tokens of older versions are to be revoked. */
  async setPassword(tx: Executor, id: string, passwordHash: string): Promise<number> {
    const { token_version } = await tx
      .updateTable('agents')
      .set((eb) => ({ password_hash: passwordHash, token_version: eb('token_version', '+', 1) }))
      .where('id', '=', id)
      .returning('token_version')
      .executeTakeFirstOrThrow()
    return token_version
  }

  async delete(tx: Executor, id: string): Promise<void> {
    await tx.deleteFrom('agents').where('id', '=', id).execute()
  }

  async #findAll(apIds: string[]): Promise<Map<string, Agent>> {
    const rows = await this.#postgres.read<Agent>(
      'agents',
      'select id, ap_id as "apId", configuration from agents where ap_id = any($1)',
      [apIds],
    )
    return new Map(rows.map((agent) => [agent.apId, agent]))
  }
}
