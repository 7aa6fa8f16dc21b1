import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The W3C trace context in which it was requested; null if it is not traced.
    alter table jobs add column traceparent text;
    alter table commands add column traceparent text;
  `.execute(db)
}
