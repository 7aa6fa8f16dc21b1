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
      -- When something has to happen next: another attempt, or giving up.
      due_at timestamptz not null default now(),
      -- Lets replicas follow this table without missing a late commit.
      transaction_id xid8 not null default pg_current_xact_id()
    ) with (fillfactor = 70);
    create index commands_due on commands (due_at) where state in ('queued', 'sent', 'delivered');
    create index commands_waiting on commands (ap_id, job_number) where state in ('queued', 'sent');
    create index commands_tail on commands (transaction_id);

    -- Which app an agent listens to for the moment.
    create table command_holds (
      ap_id text primary key collate "C",
      holder uuid not null,
      priority integer not null,
      until timestamptz not null
    );
  `.execute(db)
}
