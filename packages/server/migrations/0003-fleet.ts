import { type Kysely, sql } from 'kysely'
import { placementOf } from '../src/modules/fleet/placement.ts'

const pieceSize = 500

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One narrow row an agent, for maps, tables and counts: where it is, and whether it is there.
    create table fleet (
      ap_id text primary key collate "C" references agents (ap_id) on delete cascade,
      -- Out of its configuration.
      name text,
      technology text not null default 'other',
      latitude double precision,
      longitude double precision,
      interval_s double precision not null default 10,
      -- Written when it changes, never for a sample.
      state text not null default 'offline',
      since timestamptz not null default now(),
      last_seen timestamptz,
      -- The start of its newest connection, by its own clock.
      connected_at timestamptz,
      -- Which ingester notices when it falls silent; none: the next that looks.
      keeper uuid,
      -- Lets ingesters follow this table without missing a late commit.
      transaction_id xid8 not null default pg_current_xact_id()
    ) with (fillfactor = 80);
    create index fleet_tail on fleet (transaction_id);
    create index fleet_kept on fleet (keeper) where state <> 'offline';
    create index fleet_places on fleet using gist (point(longitude, latitude));

    create table fleet_keepers (
      id uuid primary key,
      alive_at timestamptz not null,
      -- Up to when it has judged its agents; behind while it lags.
      judged_at timestamptz not null
    );
  `.execute(db)
  for (let last = ''; ; ) {
    const { rows } = await sql<{ ap_id: string; configuration: string }>`
      select ap_id, configuration::text from agents where ap_id > ${last} order by ap_id limit ${pieceSize}
    `.execute(db)
    for (const { ap_id, configuration } of rows) {
      const { name, technology, latitude, longitude, intervalS } = placementOf(JSON.parse(configuration))
      await sql`
        insert into fleet (ap_id, name, technology, latitude, longitude, interval_s)
        values (${ap_id}, ${name}, ${technology}, ${latitude}, ${longitude}, ${intervalS})
      `.execute(db)
    }
    if (rows.length < pieceSize) return
    last = rows.at(-1)?.ap_id ?? ''
  }
}
