import { type Postgres, sql, type Tx } from '../../engines/postgres.ts'

export interface ConfigurationVersion {
  version: number
  at: Date
  authorKind: string | null
  author: string | null
  bytes: number
  isCurrent: boolean
}

export interface ConfigurationVersionDetails extends ConfigurationVersion {
  /** JSON text. */
  configuration: string
}

export interface VersionLimits {
  versions: number
  bytes: number
}

interface NewVersion {
  agentId: string
  configuration: string
  /** The configuration until now; undefined for a new agent. */
  previous: string | undefined
  author: { kind: string; name: string }
}

/** The previous version can always be restored. */
const alwaysKept = 2

/** An agent without a stored version has one: its configuration. */
const versionsOf = sql`(
  select agent_id, version, created_at, author_kind, author, configuration from configuration_versions
  union all
  select id, 1, created_at, null, null, configuration::text from agents
  where not exists (select from configuration_versions where agent_id = agents.id)
)`

const columns = sql`
  version, versions.created_at as at, author_kind as "authorKind", author, octet_length(versions.configuration) as bytes,
  version = (select max(version) from configuration_versions where agent_id = agents.id)
    or not exists (select from configuration_versions where agent_id = agents.id) as "isCurrent"
`

/** Versions of configurations. The row of the agent is locked by the transaction that changes its configuration. */
export class ConfigurationStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /** Returns its number. The first change of an agent without versions also stores the configuration that it had. */
  async insert(
    tx: Tx,
    { agentId, configuration, previous, author }: NewVersion,
    limits: VersionLimits,
  ): Promise<number> {
    const { rows } = await sql<{ version: number }>`
      with newest as (
        select coalesce(max(version), 0) as version from configuration_versions where agent_id = ${agentId}
      ), earlier as (
        insert into configuration_versions (agent_id, version, configuration, created_at)
        select id, 1, ${previous ?? null}::text, agents.created_at from agents, newest
        where id = ${agentId} and newest.version = 0 and ${previous !== undefined}::boolean
        returning version
      )
      insert into configuration_versions (agent_id, version, configuration, author_kind, author)
      select ${agentId}::uuid, greatest(newest.version, (select count(*) from earlier)) + 1, ${configuration},
        ${author.kind}, ${author.name}
      from newest
      returning version
    `.execute(tx)
    await sql`
      delete from configuration_versions where agent_id = ${agentId} and version in (
        select version from (
          select version, row_number() over newest_first as position,
            sum(octet_length(configuration)) over newest_first as bytes
          from configuration_versions where agent_id = ${agentId}
          window newest_first as (order by version desc)
        ) as counted
        where position > ${Math.max(limits.versions, 1)} or (position > ${alwaysKept} and bytes > ${limits.bytes}))
    `.execute(tx)
    return rows[0]?.version ?? Number.NaN
  }

  /** The newest first; empty if there is no such agent. */
  async list(apId: string): Promise<ConfigurationVersion[]> {
    const { rows } = await sql<ConfigurationVersion>`
      select ${columns} from agents join ${versionsOf} as versions on versions.agent_id = agents.id
      where agents.ap_id = ${apId} order by version desc
    `.execute(this.#postgres.db)
    return rows
  }

  async find(apId: string, version: number): Promise<ConfigurationVersionDetails | undefined> {
    const { rows } = await sql<ConfigurationVersionDetails>`
      select ${columns}, versions.configuration from agents
      join ${versionsOf} as versions on versions.agent_id = agents.id
      where agents.ap_id = ${apId} and version = ${version}
    `.execute(this.#postgres.db)
    return rows[0]
  }

  /** Of an agent that is locked and has versions. */
  async newest(tx: Tx, agentId: string): Promise<number | undefined> {
    const { rows } = await sql<{ version: number | null }>`
      select max(version) as version from configuration_versions where agent_id = ${agentId}
    `.execute(tx)
    return rows[0]?.version ?? undefined
  }

  async textOf(tx: Tx, agentId: string, version: number): Promise<string | undefined> {
    const { rows } = await sql<{ configuration: string }>`
      select configuration from configuration_versions where agent_id = ${agentId} and version = ${version}
    `.execute(tx)
    return rows[0]?.configuration
  }

  async texts(apIds: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await sql<{ apId: string; configuration: string }>`
      select ap_id as "apId", configuration from agents where ap_id = any(${[...apIds]}::text[])
    `.execute(this.#postgres.db)
    return new Map(rows.map(({ apId, configuration }) => [apId, configuration]))
  }
}
