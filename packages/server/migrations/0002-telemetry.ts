import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table agents add column onboard boolean not null default false;

    -- What an agent last said that is no number, written when it changes.
    create table agent_attributes (
      ap_id text primary key collate "C",
      attributes json not null,
      said_at timestamptz not null
    );

    -- Samples that were refused after they had been accepted by the broker, counted by reason.
    create table refused_samples (
      ap_id text collate "C",
      reason text,
      samples bigint not null,
      last_at timestamptz not null,
      primary key (ap_id, reason)
    );

    -- Agents whose connections the broker must close: written with the change that shuts them out.
    create table disconnections (
      id bigint generated always as identity primary key,
      ap_id text not null,
      next_attempt_at timestamptz not null default now()
    );
    create index disconnections_due on disconnections (next_attempt_at);
  `.execute(db)
}
