import { type Kysely, sql } from 'kysely'

/** Where the agents of an emulation are follows from its specs and their places: nobody keeps it part by part. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Of each spec, where its locations are: JSON.
    alter table emulations add column places json not null default '[]';
    alter table emulations alter column places drop default;
    update emulation_parts set state = 'failed', detail = 'The controller was upgraded. Ask for it again.'
    where state in ('waiting', 'running');
    alter table emulation_parts drop column agents;
  `.execute(db)
}
