import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table emulations (
      job_number text primary key collate "C",
      owner uuid not null,
      agents integer not null,
      -- The passwords of its agents are derived from this and the server's key.
      nonce text not null,
      specs json not null,
      begins_at timestamptz not null default now(),
      ends_at timestamptz not null,
      -- When its agents are deleted.
      remove_at timestamptz not null,
      -- Whether the final result was published to its caller.
      is_told boolean not null default false
    );
    create index emulations_untold on emulations (job_number) where not is_told;
    create index emulations_of on emulations (owner, ends_at);
    create index emulations_to_remove on emulations (remove_at);

    -- The share of one emulator. It is leased; when the lease expires the part is offered again.
    create table emulation_parts (
      job_number text not null collate "C" references emulations (job_number) on delete cascade,
      part integer not null,
      -- The position of each agent: JSON.
      agents json not null,
      state text not null default 'waiting',
      detail text,
      emulator uuid,
      leased_until timestamptz,
      offered_at timestamptz not null default now(),
      ends_at timestamptz not null,
      -- The last report of its emulator: JSON.
      told json,
      primary key (job_number, part)
    );
    create index emulation_parts_open on emulation_parts (offered_at) where state in ('waiting', 'running');

    alter table agents add column emulation text collate "C";
    create index agents_emulated on agents (emulation) where emulation is not null;
  `.execute(db)
}
