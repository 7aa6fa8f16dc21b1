import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Until then the e-mail address has to be confirmed. Null: it is an account.
    alter table users add column confirm_by timestamptz;
  `.execute(db)
}
