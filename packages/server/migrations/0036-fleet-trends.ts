import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Counts and sums of the fleet once a minute, by technology and by the owner of emulated agents. Kept for two hours.
    create table fleet_trends (
      at timestamptz not null,
      technology text not null,
      emulated_by uuid,
      online integer not null,
      degraded integer not null,
      bad integer not null,
      offline integer not null,
      clients double precision,
      throughput_mbps double precision,
      power_w double precision
    );
    -- Once each, whichever process records it.
    create unique index fleet_trends_once
      on fleet_trends (at, technology, coalesce(emulated_by, '00000000-0000-0000-0000-000000000000'));
  `.execute(db)
}
