import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One key for the pseudonyms and the encrypted names of clients, encrypted with the data key.
    create table client_keys (
      id boolean primary key default true check (id),
      sealed bytea not null
    );

    -- One row per client, so that a client is at one access point at most.
    create table clients (
      id text collate "C" primary key,
      -- The name at the access point; null where it is the id.
      sealed_name bytea,
      -- The access point that it is attached to, or was attached to last.
      ap_id text not null collate "C",
      is_attached boolean not null,
      technology text not null,
      emulated_by uuid,
      since timestamptz not null,
      from_ap_id text collate "C",
      signal_dbm real,
      snr_db real,
      rate_mbps real,
      ended text,
      -- When the broker received the message that began or ended the attachment.
      claimed_at timestamptz not null
    ) with (fillfactor = 80);
    create index clients_of_ap on clients (ap_id, id) where is_attached;
    create index clients_by_since on clients (since, id);

    -- Access points with reports of clients since they were last offline.
    create table client_access_points (
      ap_id text collate "C" primary key,
      clients integer not null,
      reported_at timestamptz not null,
      snapshot_at timestamptz
    ) with (fillfactor = 50);

    create sequence client_history_seq;
    -- Attachments that have ended. Rows are only added; they are deleted by dropping partitions.
    create table client_history (
      recorded_at timestamptz not null default date_trunc('milliseconds', now()),
      seq bigint not null default nextval('client_history_seq'),
      client_id text not null collate "C",
      ap_id text not null collate "C",
      technology text not null,
      since timestamptz not null,
      until timestamptz not null,
      from_ap_id text collate "C",
      ended text not null,
      signal_dbm real,
      snr_db real,
      rate_mbps real
    ) partition by range (recorded_at);
    create index client_history_of_client on client_history (client_id, recorded_at, seq);
    -- For rows outside of all dated partitions: a missing partition must not fail the change.
    create table client_history_other partition of client_history default;
  `.execute(db)
}
