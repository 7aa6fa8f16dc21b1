import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- From the configuration, for the table of agents. The subscriber role fills them for rows of earlier releases, in
    -- small transactions: an update of all rows here would make all writers wait.
    alter table fleet
      add column place text collate "C",
      add column version text collate "C",
      -- Lower case, with numbers of the same length: 'hall 0000000002' is before 'hall 0000000010'.
      add column name_key text collate "C",
      add column version_key text collate "C",
      add column is_described boolean not null default false;

    -- Views of the table of agents, saved by users.
    create table saved_views (
      id uuid primary key,
      owner uuid not null references users (id) on delete cascade,
      name text not null,
      -- All users can use it.
      is_shared boolean not null,
      columns text[] not null,
      sort text not null,
      sort_order text not null,
      filters jsonb not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index saved_views_of_owner on saved_views (owner, id);
    create index saved_views_shared on saved_views (id) where is_shared;
  `.execute(db)
}
