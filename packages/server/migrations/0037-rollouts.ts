import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Changes of the configuration of many agents, in stages.
    create table rollouts (
      id uuid primary key,
      -- The user in whose name it is done, and the name of this user.
      owner uuid not null,
      owner_name text not null,
      created_by text not null,
      title text not null,
      -- JSON text of a merge patch.
      change text not null,
      state text not null default 'running',
      detail text,
      agents integer not null,
      stage integer not null default 1,
      -- The agents of the stage were changed, and are observed until due_at.
      is_observing boolean not null default false,
      wait_s integer not null,
      max_failures integer not null,
      -- Failures until it was resumed, which no longer count.
      forgiven integer not null default 0,
      -- Number of agents in each state. Counting rows would cost more with each agent and each read.
      pending integer not null,
      applied integer not null default 0,
      unchanged integer not null default 0,
      failed integer not null default 0,
      undone integer not null default 0,
      skipped integer not null default 0,
      -- Time of the next action; while a process has a lease, its end.
      due_at timestamptz not null default now(),
      -- Number of the lease: a process whose lease has lapsed changes nothing.
      lease integer not null default 0,
      created_at timestamptz not null default now(),
      state_at timestamptz not null default now()
    ) with (fillfactor = 50);
    create index rollouts_by_time on rollouts (created_at, id);
    create index rollouts_of_owner on rollouts (owner, state_at);
    create index rollouts_due on rollouts (due_at) where state in ('running', 'undoing');

    create table rollout_agents (
      rollout_id uuid not null references rollouts on delete cascade,
      ap_id text not null collate "C",
      stage integer not null,
      state text not null default 'pending',
      detail text,
      at timestamptz,
      -- Whether it was online and not bad when it was changed.
      was_well boolean,
      -- The agent, and the version of its configuration that was written. A new agent with this ap_id is another one.
      agent_id uuid,
      version integer,
      primary key (rollout_id, ap_id)
    ) with (fillfactor = 80);
    create index rollout_agents_by_state on rollout_agents (rollout_id, state, stage, ap_id);
  `.execute(db)
}
