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

    -- Phases of emulations that have not begun yet. Each is deleted with the event that it has begun.
    create table emulation_phases (
      job_number text collate "C" not null references emulations on delete cascade,
      phase text not null,
      scenario text not null,
      begins_at timestamptz not null,
      primary key (job_number, phase, begins_at)
    );
    create index emulation_phases_begin on emulation_phases (begins_at);

    -- The last request of vmalert, by what it did: read the rules, or sent alerts.
    create table vmalert_contacts (kind text primary key, at timestamptz not null);
  `.execute(db)
}
