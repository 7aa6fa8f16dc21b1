import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Of an e-mail that other addresses have got: the server has refused these for now. Null: all.
    alter table notification_deliveries add column addresses_left text[];
  `.execute(db)
}
