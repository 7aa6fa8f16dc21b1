import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // As of names and versions: the subscriber role fills it for rows of earlier releases.
  await sql`alter table fleet add column place_key text collate "C"`.execute(db)
}
