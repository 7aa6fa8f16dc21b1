import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What the samples of the agent say: bad, degraded, unknown or good. Constant defaults do not rewrite the table, as a
    -- generated column for the health would: it is kpi_health unless the state is offline.
    alter table fleet
      add column kpi_health text not null default 'unknown',
      add column health_since timestamptz not null default now(),
      add column reasons jsonb not null default '[]';

    -- The release before does not have fleet_counts.
    alter table fleet_counts add column health text;
    update fleet_counts set health = case when state = 'offline' then 'offline' else 'unknown' end;
    alter table fleet_counts alter column health set not null;

    create or replace function count_fleet_added() returns trigger language plpgsql set search_path from current as $$
      begin
        insert into fleet_counts (technology, state, health, emulated_by, agents)
        select technology, state, case when state = 'offline' then state else kpi_health end as health, emulated_by, count(*)
        from added group by technology, state, health, emulated_by;
        return null;
      end
    $$;
    create or replace function count_fleet_removed() returns trigger language plpgsql set search_path from current as $$
      begin
        insert into fleet_counts (technology, state, health, emulated_by, agents)
        select technology, state, case when state = 'offline' then state else kpi_health end as health, emulated_by, -count(*)
        from removed group by technology, state, health, emulated_by;
        return null;
      end
    $$;
    create or replace function count_fleet_changed() returns trigger language plpgsql set search_path from current as $$
      begin
        insert into fleet_counts (technology, state, health, emulated_by, agents)
        select technology, state, case when state = 'offline' then state else kpi_health end as health, emulated_by, sum(agents)
        from (
          select technology, state, kpi_health, emulated_by, 1 as agents from added
          union all
          select technology, state, kpi_health, emulated_by, -1 from removed
        ) as changed
        group by technology, state, health, emulated_by having sum(agents) <> 0;
        return null;
      end
    $$;

    drop trigger fleet_changed on fleet;
    create trigger fleet_changed before update on fleet for each row
      when ((old.name, old.technology, old.latitude, old.longitude, old.interval_s, old.state, old.since, old.last_seen,
          old.emulated_by, old.kpi_health, old.health_since, old.reasons)
        is distinct from (new.name, new.technology, new.latitude, new.longitude, new.interval_s, new.state, new.since,
          new.last_seen, new.emulated_by, new.kpi_health, new.health_since, new.reasons))
      execute function fleet_changed();
  `.execute(db)
}
