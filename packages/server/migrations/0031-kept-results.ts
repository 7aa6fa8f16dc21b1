import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table jobs
      -- What it does and to which access points, in words.
      add column title text,
      -- By its caller.
      add column cancelled boolean not null default false,
      -- Delivered results that can be read again. Those of commands are not counted.
      add column kept_bytes bigint not null default 0;

    -- Delivered data, to be read again. Processes of earlier versions read the column data only: it is moved, and not marked.
    alter table mailbox add column kept text;
    alter table mailbox alter column kept set storage external;
  `.execute(db)
}
