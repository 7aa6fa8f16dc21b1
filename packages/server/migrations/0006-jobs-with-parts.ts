import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table jobs
      -- The job that this one is a part of.
      add column parent text collate "C" references jobs (job_number) on delete cascade,
      -- Of a job with parts: how many are in each state, as its client was last told.
      add column progress json,
      -- Of the last posts with a key.
      add column recent_keys text[] not null default '{}';
    create index jobs_parts on jobs (parent, created_at, job_number) where parent is not null;
    create index jobs_with_parts on jobs (job_number) where kind = 'send_commands' and state = 'open';

    -- Results are read once, moments after they were written: packing them costs more than it saves.
    alter table mailbox alter column data set storage external;
    alter table mailbox_other alter column data set storage external;

    alter table commands
      add column parent text collate "C",
      -- What the agent answered, and what there is to say: for the result of the parent.
      add column result text,
      add column detail text;
    create index commands_parts on commands (parent, ap_id) include (state) where parent is not null;
  `.execute(db)
}
