import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table jobs
      -- How often in succession its worker has stopped because the results were not read.
      add column reader_waits integer not null default 0,
      -- Limit for the undelivered bytes of all jobs of the owner, as of the request; null: a job of version 1.1.
      add column owner_unread_limit bigint;
  `.execute(db)
}
