import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Comparisons of policies in simulated worlds.
    create table experiments (
      -- UUID version 7: in the order of time.
      id uuid primary key,
      -- Id of an app or a user, which may have been deleted.
      owner uuid not null,
      owner_kind text not null,
      owner_name text not null,
      -- Idempotency key of the request.
      request_key text,
      name text not null,
      kind text not null default 'comparison',
      -- JSON texts. places: access points of the network, command: what a what-if executes.
      world text not null,
      places text,
      command text,
      policies text not null,
      documents text not null,
      seed text not null,
      repetitions integer not null,
      -- Null: the time of the named world.
      duration_s integer,
      state text not null default 'waiting',
      -- Number of runs in all, with a result, and failed. Counting rows would cost more with each run and each read.
      runs integer not null,
      finished integer not null default 0,
      failed integer not null default 0,
      created_at timestamptz not null default now(),
      ended_at timestamptz,
      -- Runs without a result fail then.
      expires_at timestamptz not null
    ) with (fillfactor = 70);
    create unique index experiments_by_key on experiments (owner, request_key) where request_key is not null;
    create index experiments_of_owner on experiments (owner, created_at);
    create index experiments_by_name on experiments (owner_name, id);
    create index experiments_by_time on experiments (created_at);
    create index experiments_open on experiments (expires_at) where state in ('waiting', 'running');

    -- One simulation: a policy with a seed.
    create table experiment_runs (
      id uuid primary key,
      experiment_id uuid not null references experiments (id) on delete cascade,
      -- Number in the experiment, from 1 on.
      run integer not null,
      -- Name of the policy.
      policy text not null,
      seed text not null,
      state text not null default 'waiting',
      progress_pct integer not null default 0,
      -- How often an emulator has begun it.
      attempts integer not null default 0,
      -- The emulator with the lease.
      emulator uuid,
      -- Of a run that waits: when it is offered to emulators. Of one that is executed: end of the lease. Null: it has ended.
      due_at timestamptz default now(),
      -- It is in the queue of the broker, or executed.
      is_offered boolean not null default false,
      detail text,
      -- JSON texts, and the digest of both: the same run has the same result again.
      figures text,
      series text,
      digest text
    ) with (fillfactor = 70);
    create unique index experiment_runs_by_number on experiment_runs (experiment_id, run);
    create index experiment_runs_due on experiment_runs (state, due_at) where due_at is not null;

    -- How many experiments an owner has started lately.
    create table experiment_starts (
      owner uuid primary key,
      recent double precision not null,
      counted_at timestamptz not null default now()
    );
  `.execute(db)
}
