import { type Kysely, sql } from 'kysely'

/** The positions of emulated agents are derived from the specs and their places, and no longer stored per part. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The coordinates of the locations of each spec: JSON.
    alter table emulations add column places json not null default '[]';
    alter table emulations alter column places drop default;
    update emulation_parts set state = 'failed', detail = 'The controller was upgraded. Ask for it again.'
    where state in ('waiting', 'running');
    alter table emulation_parts drop column agents;
  `.execute(db)
}
