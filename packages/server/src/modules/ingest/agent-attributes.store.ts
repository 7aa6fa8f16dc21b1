import { type Postgres, sql } from '../../engines/postgres.ts'

export interface AttributeChange {
  apId: string
  /** JSON text of an object. */
  attributes: string
  sentAt: Date
}

/** The only writer of the table `agent_attributes`. */
export class AgentAttributesStore {
  readonly #postgres: Postgres

  constructor(postgres: Postgres) {
    this.#postgres = postgres
  }

  /**
   * At most one change per agent. Attributes that are not in the change keep their value; an older change is ignored.
   * A change after which the attributes of the agent have more than `maxBytes` is refused. Returns the agents whose
   * change was refused.
   */
  async merge(changes: AttributeChange[], maxBytes: number): Promise<string[]> {
    const { rows } = await sql<{ apId: string }>`
      with changes as (
        select * from unnest(
          ${changes.map(({ apId }) => apId)}::text[],
          ${changes.map(({ attributes }) => attributes)}::json[],
          ${changes.map(({ sentAt }) => sentAt)}::timestamptz[]) as change (ap_id, attributes, said_at)
      ), written as (
        insert into agent_attributes as known (ap_id, attributes, said_at)
        -- In the order of all writers: two of them could lock each other's rows.
        select ap_id, attributes, said_at from changes order by ap_id
        on conflict (ap_id) do update set
          attributes = case
            -- Written by a version without a limit: start again. (Spaces in jsonb texts are no reason to.)
            when octet_length(known.attributes::text) > 2 * ${maxBytes}::int then excluded.attributes
            when octet_length((known.attributes::jsonb || excluded.attributes::jsonb)::text) > ${maxBytes}::int
              then known.attributes
            else (known.attributes::jsonb || excluded.attributes::jsonb)::json end,
          said_at = excluded.said_at
        where known.said_at <= excluded.said_at
        returning ap_id, attributes
      )
      select ap_id as "apId" from written join changes using (ap_id)
      where not written.attributes::jsonb @> changes.attributes::jsonb
    `.execute(this.#postgres.db)
    return rows.map(({ apId }) => apId)
  }

  /**
   * Deletes the rows of agents that no longer exist, among `limit` rows from an id on. Returns the last of these ids;
   * undefined at the end of the table.
   */
  async deleteOrphans(after: string, limit: number): Promise<string | undefined> {
    const { rows } = await sql<{ apId: string }>`
      with page as (
        select ap_id from agent_attributes where ap_id > ${after} order by ap_id limit ${limit}
      ), deleted as (
        delete from agent_attributes using page
        where agent_attributes.ap_id = page.ap_id and not exists (select from agents where agents.ap_id = page.ap_id)
      )
      select ap_id as "apId" from page order by ap_id desc limit 1
    `.execute(this.#postgres.db)
    return rows[0]?.apId
  }
}
