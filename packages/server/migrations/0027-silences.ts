import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table silences (
      id uuid primary key,
      comment text not null,
      -- Empty: all.
      rule_ids text[] collate "C" not null,
      technologies text[] not null,
      ap_ids text[] collate "C" not null,
      starts_at timestamptz not null,
      -- Null: recurs until it is ended.
      ends_at timestamptz,
      -- Of weekly windows: ISO days of the week (Monday is 1), local start, elapsed minutes, IANA time zone.
      days smallint[],
      start_time time,
      duration_min integer,
      time_zone text,
      -- Id of the user or app that created it.
      owner uuid not null,
      created_by text not null,
      created_at timestamptz not null default now(),
      check (ends_at is not null or days is not null),
      check (num_nulls(days, start_time, duration_min, time_zone) in (0, 4))
    );
    create index silences_by_end on silences (ends_at);
    create index silences_of_owner on silences (owner, ends_at);
    -- Silences look for open alarms by the first characters of an id.
    create index alarms_open_of_agent on alarms (ap_id) where cleared_at is null;

    -- The files of time zones are those of the database server. A name that an update has removed must not make
    -- statements over all silences fail.
    create function is_time_zone(name text) returns boolean language plpgsql stable as $$
      begin
        perform now() at time zone name;
        return true;
      exception when invalid_parameter_value then
        return false;
      end $$;
  `.execute(db)
}
