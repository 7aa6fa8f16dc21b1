import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table jobs (
      job_number text primary key collate "C",
      kind text not null,
      owner uuid not null,
      state text not null,
      detail text,
      -- The request, and the position up to which its results were produced.
      request json not null,
      cursor text,
      -- With a lease: held until work_after. Without: may be leased from work_after on.
      lease uuid,
      work_after timestamptz not null default now(),
      attempts integer not null default 0,
      published boolean not null default false,
      created_at timestamptz not null default now(),
      ends_by timestamptz not null,
      ended_at timestamptz,
      -- Its mailbox: the numbers of the last and the last delivered message, and the undelivered bytes.
      last_seq bigint not null default 0,
      read_seq bigint not null default 0,
      waiting_bytes bigint not null default 0,
      -- The connection that reads the mailbox, and the replica that holds the connection.
      reader uuid,
      read_by uuid
    ) with (fillfactor = 70);
    create index jobs_unpublished on jobs (created_at) where not published;
    create index jobs_to_do on jobs (work_after) where state in ('queued', 'running');
    create index jobs_of on jobs (owner, created_at, job_number);
    create index jobs_age on jobs (created_at);

    -- Idempotency keys: the same key of the same caller is the same job.
    create table job_keys (
      owner uuid not null,
      key text not null collate "C",
      job_number text not null,
      created_at timestamptz not null default now(),
      primary key (owner, key)
    );
    create index job_keys_age on job_keys (created_at);

    -- Messages for the caller of a job; data is null once delivered. Deleted by dropping partitions.
    create table mailbox (
      job_number text not null collate "C",
      seq bigint not null,
      type text not null default 'result',
      final boolean not null,
      data text,
      bytes integer not null,
      post_key text collate "C",
      created_at timestamptz not null default now(),
      -- Replicas poll for changes without missing a late commit.
      transaction_id xid8 not null default pg_current_xact_id()
    ) partition by range (created_at);
    create index mailbox_of on mailbox (job_number, seq);
    create index mailbox_keys on mailbox (job_number, post_key) where post_key is not null;
    create index mailbox_tail on mailbox (transaction_id);
    create table mailbox_other partition of mailbox default;

    create table replicas (
      id uuid primary key,
      alive_at timestamptz not null
    );
  `.execute(db)
}
