import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table commands (
      job_number text primary key collate "C" references jobs (job_number) on delete cascade,
      ap_id text not null collate "C",
      owner uuid not null,
      command text not null,
      state text not null default 'queued',
      expires_at timestamptz not null,
      was_sent boolean not null default false,
      -- Time of the next action: another attempt, or expiry.
      due_at timestamptz not null default now(),
      -- Replicas poll for changes without missing a late commit.
      transaction_id xid8 not null default pg_current_xact_id()
    ) with (fillfactor = 70);
    create index commands_due on commands (due_at) where state in ('queued', 'sent', 'delivered');
    create index commands_waiting on commands (ap_id, job_number) where state in ('queued', 'sent');
    create index commands_tail on commands (transaction_id);

    -- The app whose commands an agent currently accepts.
    create table command_holds (
      ap_id text primary key collate "C",
      holder uuid not null,
      priority integer not null,
      until timestamptz not null
    );
  `.execute(db)
}
