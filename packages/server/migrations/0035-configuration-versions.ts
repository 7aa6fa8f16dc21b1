import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Configurations that agents have or had. An agent whose configuration was never changed may have none.
    create table configuration_versions (
      agent_id uuid not null references agents (id) on delete cascade,
      version integer not null,
      -- JSON text, stored as it was sent.
      configuration text not null,
      -- Null: the configuration from before the first version was stored.
      author_kind text,
      author text,
      created_at timestamptz not null default now(),
      primary key (agent_id, version)
    );
  `.execute(db)
}
