import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The last measurement of a client that is attached. There is no history of it, and no index: its updates stay in the page.
    alter table clients
      add column measured_at timestamptz,
      add column throughput_mbps real,
      -- Signals by access point.
      add column heard jsonb;

    -- The result is what the access point has answered, as JSON text.
    alter table decision_commands
      add column result text,
      -- The client that the command steers.
      add column client text;
    -- Decisions that steer a client, also those with several commands.
    create index decision_commands_by_client on decision_commands (client, decision_id) where client is not null;
  `.execute(db)
}
