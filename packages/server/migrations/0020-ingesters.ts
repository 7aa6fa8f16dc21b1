import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ingesters (
      id uuid primary key,
      alive_at timestamptz not null,
      -- Whether it reaches the broker.
      is_connected boolean not null,
      -- Every message that its queues had accepted before was received. Null: not known yet.
      received_at timestamptz
    );
    -- The telemetry queues of the broker, and the ingester that each is assigned to.
    create table telemetry_queues (name text primary key, ingester uuid);
    insert into telemetry_queues (name) select 'manc.telemetry.' || n from generate_series(0, 7) as n;
  `.execute(db)
}
