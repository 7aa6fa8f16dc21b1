import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Unlogged: a login causes no disk flush. After a crash of the database the addresses are learned again.
    create unlogged table known_logins (
      account text primary key,
      addresses text[] not null,
      expires_at timestamptz not null
    );
    create index known_logins_expired on known_logins (expires_at);
  `.execute(db)
}
