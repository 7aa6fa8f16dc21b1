import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Identifies a row that counts several events of one minute; null for a row of one event.
    alter table audit add column aggregation_key text;
    -- Whether the entry was sent to the file or syslog server, in its current form.
    alter table audit add column exported boolean not null default false;

    -- One process at a time exports.
    create table audit_exports (
      name text primary key,
      holder text not null,
      until timestamptz not null
    );
  `.execute(db)
}
