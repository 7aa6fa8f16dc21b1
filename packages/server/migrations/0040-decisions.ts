import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table decisions (
      -- UUID version 7: in the order of time.
      id uuid primary key,
      -- Id of an app or a user, which may have been deleted.
      owner uuid not null,
      owner_kind text not null,
      owner_name text not null,
      -- Number among those of its owner, from 1 on.
      owner_seq bigint not null,
      -- Idempotency key of the request.
      request_key text,
      policy text not null,
      mode text not null,
      state text not null,
      reason text not null,
      client text,
      observed jsonb not null,
      expected jsonb not null,
      measured jsonb,
      job_number text,
      reverts uuid,
      reverted_by uuid,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      decided_by text,
      decided_at timestamptz,
      executed_at timestamptz,
      measure_at timestamptz,
      measured_at timestamptz,
      -- When a worker has to expire or measure it, or may take it over from another; null: nothing is to be done.
      due_at timestamptz
    );
    create unique index decisions_of_owner on decisions (owner, owner_seq);
    create unique index decisions_by_key on decisions (owner, request_key) where request_key is not null;
    create index decisions_by_owner_time on decisions (owner, created_at);
    create index decisions_by_time on decisions (created_at);
    create index decisions_by_name on decisions (owner_name, id);
    create index decisions_by_state on decisions (state, id);
    create index decisions_by_client on decisions (client, id) where client is not null;
    create index decisions_due on decisions (due_at) where due_at is not null;
    create index decisions_open on decisions (owner) where state = 'proposed';

    -- The access points that a decision names.
    create table decision_agents (
      ap_id text not null,
      decision_id uuid not null references decisions (id) on delete cascade,
      primary key (ap_id, decision_id)
    );
    create index decision_agents_of_decision on decision_agents (decision_id);

    create table decision_commands (
      decision_id uuid not null references decisions (id) on delete cascade,
      n smallint not null,
      ap_id text not null,
      command text not null,
      verdict text,
      detail text,
      -- Of its part of the job.
      job_number text,
      -- Set when the command has ended: jobs and commands are deleted before decisions are.
      state text,
      ended_at timestamptz,
      primary key (decision_id, n)
    );
    create unique index decision_commands_by_job on decision_commands (job_number) where job_number is not null;
  `.execute(db)
}
