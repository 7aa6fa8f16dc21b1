import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Callers that poll fleet changes must see deletions, whichever statement has deleted the row.
    create table fleet_gone (
      ap_id text not null collate "C",
      gone_at timestamptz not null default now(),
      transaction_id xid8 not null default pg_current_xact_id()
    );
    create index fleet_gone_tail on fleet_gone (transaction_id);
    create index fleet_gone_age on fleet_gone (gone_at);

    create function note_gone() returns trigger language plpgsql as $$
      begin
        insert into fleet_gone (ap_id) select ap_id from gone;
        return null;
      end
    $$;
    create trigger fleet_gone after delete on fleet
      referencing old table as gone for each statement execute function note_gone();
  `.execute(db)
}
