import { type Kysely, sql } from 'kysely'

const pageSize = 500

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One narrow row per agent, for maps, tables and counts: its position and presence.
    create table fleet (
      ap_id text primary key collate "C" references agents (ap_id) on delete cascade,
      -- From its configuration.
      name text,
      technology text not null default 'other',
      latitude double precision,
      longitude double precision,
      interval_s double precision not null default 10,
      -- Written when the state changes, not per sample.
      state text not null default 'offline',
      since timestamptz not null default now(),
      last_seen timestamptz,
      -- The start of its newest connection, by the clock of the agent.
      connected_at timestamptz,
      -- The ingester that detects when the agent stops sending; null: to be taken by any ingester.
      keeper uuid,
      -- Ingesters poll for changes without missing a late commit.
      transaction_id xid8 not null default pg_current_xact_id()
    ) with (fillfactor = 80);
    create index fleet_tail on fleet (transaction_id);
    create index fleet_kept on fleet (keeper) where state <> 'offline';
    create index fleet_places on fleet using gist (point(longitude, latitude));

    create table fleet_keepers (
      id uuid primary key,
      alive_at timestamptz not null,
      -- The time up to which it has evaluated its agents; behind while it lags.
      judged_at timestamptz not null
    );
  `.execute(db)
  for (let last = ''; ; ) {
    const { rows } = await sql<{ ap_id: string; configuration: string }>`
      select ap_id, configuration::text from agents where ap_id > ${last} order by ap_id limit ${pageSize}
    `.execute(db)
    for (const { ap_id, configuration } of rows) {
      const { name, technology, latitude, longitude, intervalS } = placementOf(JSON.parse(configuration))
      await sql`
        insert into fleet (ap_id, name, technology, latitude, longitude, interval_s)
        values (${ap_id}, ${name}, ${technology}, ${latitude}, ${longitude}, ${intervalS})
      `.execute(db)
    }
    if (rows.length < pageSize) return
    last = rows.at(-1)?.ap_id ?? ''
  }
}

/**
 * Copied from the server when this migration was written, and not to be changed: a migration has the same result in
 * every later version.
 */
function placementOf(configuration: Record<string, unknown>) {
  const interval = numberOf(configuration['telemetry_interval_s'])
  return {
    name: nameOf(configuration['name']),
    technology: technologyOf(configuration),
    ...positionOf(configuration['geolocation']),
    intervalS: interval !== null && interval >= 0.1 && interval <= 86_400 ? interval : 10,
  }
}

function technologyOf(configuration: Record<string, unknown>): string {
  for (const name of ['technology', 'access_point_type', 'access_technology', 'type']) {
    const value = configuration[name]
    if (typeof value !== 'string') continue
    const text = value.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
    if (/lifi|vlc/.test(text)) return 'LiFi'
    if (/wifi|wlan|80211/.test(text)) return 'WiFi'
    if (/5g|gnb/.test(text) || text === 'nr') return '5G'
  }
  return 'other'
}

function positionOf(geolocation: unknown): { latitude: number | null; longitude: number | null } {
  const none = { latitude: null, longitude: null }
  if (typeof geolocation !== 'object' || geolocation === null) return none
  const position = geolocation as Record<string, unknown>
  const latitude = numberOf(position['latitude'] ?? position['lat'])
  const longitude = numberOf(position['longitude'] ?? position['long'] ?? position['lng'] ?? position['lon'])
  if (latitude === null || longitude === null) return none
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : none
}

/** PostgreSQL refuses U+0000 in text. */
function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const name = value.toWellFormed().replaceAll('\0', '').trim().slice(0, 128).toWellFormed()
  return name === '' ? null : name
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
