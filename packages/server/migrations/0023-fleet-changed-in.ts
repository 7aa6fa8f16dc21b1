import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The transaction that has changed what callers see of the agent. Null: not since this column exists. A new monitor is no
    -- such change: when ingesters restart, every agent gets one, and all consoles would read the whole list again.
    alter table fleet add column changed_in xid8;
    alter table fleet alter column changed_in set default pg_current_xact_id();
    create function fleet_changed() returns trigger language plpgsql as $$
      begin
        new.changed_in := pg_current_xact_id();
        return new;
      end
    $$;
    create trigger fleet_changed before update on fleet for each row
      when ((old.name, old.technology, old.latitude, old.longitude, old.interval_s, old.state, old.since, old.last_seen,
          old.emulated_by)
        is distinct from (new.name, new.technology, new.latitude, new.longitude, new.interval_s, new.state, new.since,
          new.last_seen, new.emulated_by))
      execute function fleet_changed();
  `.execute(db)
}
