import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- For pages in descending order: of all entries, of one actor, and of one action.
    create index audit_by_time on audit (at, id);
    create index audit_by_actor on audit (actor, at, id);
    create index audit_by_action on audit (action, at, id);
    drop index audit_age;
  `.execute(db)
}
