import { type Kysely, sql } from 'kysely'

/** Version 1.0 reads and writes `hash` only, which depends on the data key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table enrolment_tokens add column digest text`.execute(db)
}
