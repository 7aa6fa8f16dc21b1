import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table agents add column onboard boolean not null default false;

    -- The newest values of an agent that are not numbers, written when they change.
    create table agent_attributes (
      ap_id text primary key collate "C",
      attributes json not null,
      said_at timestamptz not null
    );

    -- Samples that were rejected after the broker had accepted them, counted by reason.
    create table refused_samples (
      ap_id text collate "C",
      reason text,
      samples bigint not null,
      last_at timestamptz not null,
      primary key (ap_id, reason)
    );

    -- Agents whose connections the broker must close: written with the change that revokes their access.
    create table disconnections (
      id bigint generated always as identity primary key,
      ap_id text not null,
      next_attempt_at timestamptz not null default now()
    );
    create index disconnections_due on disconnections (next_attempt_at);
  `.execute(db)
}
