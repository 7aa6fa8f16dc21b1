import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- False for emulated agents: they are removed by thousands, and their emulator has ended.
    alter table disconnections add column is_urgent boolean not null default true;
  `.execute(db)
}
