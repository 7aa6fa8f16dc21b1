import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The running mean of the throughput of a client, over about five minutes.
    alter table clients add column mean_throughput_mbps real;
  `.execute(db)
}
