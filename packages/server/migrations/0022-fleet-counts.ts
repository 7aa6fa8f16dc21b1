import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Changes of the number of agents. Their sum is the current number: a summary does not read the fleet. Each statement
    -- adds rows, and a sweep merges them, so that concurrent statements do not wait for each other.
    create table fleet_counts (
      technology text not null,
      state text not null,
      emulated_by uuid,
      agents bigint not null
    );

    create function count_fleet_added() returns trigger language plpgsql set search_path from current as $$
      begin
        insert into fleet_counts
        select technology, state, emulated_by, count(*) from added group by technology, state, emulated_by;
        return null;
      end
    $$;
    create function count_fleet_removed() returns trigger language plpgsql set search_path from current as $$
      begin
        insert into fleet_counts
        select technology, state, emulated_by, -count(*) from removed group by technology, state, emulated_by;
        return null;
      end
    $$;
    create function count_fleet_changed() returns trigger language plpgsql set search_path from current as $$
      begin
        insert into fleet_counts
        select technology, state, emulated_by, sum(agents) from (
          select technology, state, emulated_by, 1 as agents from added
          union all
          select technology, state, emulated_by, -1 from removed
        ) as changed
        group by technology, state, emulated_by having sum(agents) <> 0;
        return null;
      end
    $$;
    create trigger fleet_counts_insert after insert on fleet
      referencing new table as added for each statement execute function count_fleet_added();
    create trigger fleet_counts_delete after delete on fleet
      referencing old table as removed for each statement execute function count_fleet_removed();
    create trigger fleet_counts_update after update on fleet
      referencing old table as removed new table as added
      for each statement execute function count_fleet_changed();
    -- The triggers have locked the table: no agent changes in between.
    insert into fleet_counts
    select technology, state, emulated_by, count(*) from fleet group by technology, state, emulated_by;
  `.execute(db)
}
