import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- All standard users share a limit of emulated agents.
    alter table emulations add column of_standard_user boolean not null default false;
    -- The name of the caller who has stopped it before its end.
    alter table emulations add column stopped_by text;

    -- Emulations that an owner has started recently: a count that decays.
    create table emulation_starts (
      owner uuid primary key,
      recent double precision not null,
      counted_at timestamptz not null default now()
    );
    create index emulation_starts_age on emulation_starts (counted_at);

    -- The owner of its emulation; null for an agent that is not emulated.
    alter table fleet add column emulated_by uuid;
    alter table fleet_gone add column emulated_by uuid;
    create or replace function note_gone() returns trigger language plpgsql as $$
      begin
        insert into fleet_gone (ap_id, emulated_by) select ap_id, emulated_by from gone;
        return null;
      end
    $$;
    update fleet set emulated_by = emulations.owner
    from agents join emulations on emulations.job_number = agents.emulation
    where fleet.ap_id = agents.ap_id;
  `.execute(db)
}
