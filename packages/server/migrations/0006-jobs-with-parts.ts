import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table jobs
      -- The job of which this one is a part.
      add column parent text collate "C" references jobs (job_number) on delete cascade,
      -- Of a job with parts: their number by state, as last reported to the caller.
      add column progress json,
      -- Idempotency keys of the last posts.
      add column recent_keys text[] not null default '{}';
    create index jobs_parts on jobs (parent, created_at, job_number) where parent is not null;
    create index jobs_with_parts on jobs (job_number) where kind = 'send_commands' and state = 'open';

    -- Results are read once, soon after they were written: compression costs more than it saves.
    alter table mailbox alter column data set storage external;
    alter table mailbox_other alter column data set storage external;

    alter table commands
      add column parent text collate "C",
      -- The result of the agent and the detail, for the result of the parent.
      add column result text,
      add column detail text;
    create index commands_parts on commands (parent, ap_id) include (state) where parent is not null;
  `.execute(db)
}
