import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Running processes of the server, of all roles. The table replicas has those with WebSockets only.
    create table processes (
      -- New with every start.
      id uuid primary key,
      host text not null,
      roles text[] not null,
      version text not null,
      started_at timestamptz not null default now(),
      alive_at timestamptz not null default now(),
      -- The engines as this process sees them, and parts that only some processes have the credentials for.
      engines jsonb not null,
      parts jsonb not null
    );

    -- The last request of vmalert, by what it did: read the rules, or sent alerts.
    create table vmalert_contacts (kind text primary key, at timestamptz not null);
  `.execute(db)
}
