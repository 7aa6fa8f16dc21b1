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

  /** At most one change per agent. Attributes that are not in the change keep their value; an older change is ignored. */
  async merge(changes: AttributeChange[]): Promise<void> {
    await sql`
      insert into agent_attributes as known (ap_id, attributes, said_at)
      select * from unnest(
        ${changes.map(({ apId }) => apId)}::text[],
        ${changes.map(({ attributes }) => attributes)}::json[],
        ${changes.map(({ sentAt }) => sentAt)}::timestamptz[])
      on conflict (ap_id) do update set
        attributes = (known.attributes::jsonb || excluded.attributes::jsonb)::json,
        said_at = excluded.said_at
      where known.said_at <= excluded.said_at
    `.execute(this.#postgres.db)
  }
}
