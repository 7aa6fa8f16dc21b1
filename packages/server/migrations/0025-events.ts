import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create sequence events_seq;
    -- What happened in the network. Rows are only added; they are deleted by dropping partitions.
    create table events (
      at timestamptz not null default date_trunc('milliseconds', now()),
      -- Followers read in the order of transactions, without missing a late commit.
      transaction_id xid8 not null default pg_current_xact_id(),
      seq bigint not null default nextval('events_seq'),
      kind text not null,
      severity text not null,
      ap_id text collate "C",
      -- The owner of the emulation; null for what is not emulated. Of the time of the event: the agent is removed later.
      emulated_by uuid,
      subject text,
      data jsonb not null
    ) partition by range (at);
    create index events_tail on events (transaction_id, seq);
    create index events_by_time on events (at, seq);
    create index events_of_agent on events (ap_id, at, seq) where ap_id is not null;
    create index events_of_kind on events (kind, at, seq);
    create index events_notable on events (at, seq) where severity <> 'info';
    -- For rows outside of all dated partitions: a missing partition must not fail the change that an event is about.
    create table events_other partition of events default;
  `.execute(db)
}
