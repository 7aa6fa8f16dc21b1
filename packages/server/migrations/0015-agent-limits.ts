import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Agents that exceeded a limit: until then the broker refuses their logins.
    create table agent_suspensions (
      ap_id text primary key collate "C",
      reason text not null,
      since timestamptz not null default now(),
      -- Doubles with each suspension soon after the last.
      pause_s integer not null,
      until timestamptz not null
    );
    create index agent_suspensions_until on agent_suspensions (until);
  `.execute(db)
}
