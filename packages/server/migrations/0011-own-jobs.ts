import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A caller's jobs by time, without the parts of commands to many agents.
    create index jobs_own on jobs (owner, created_at, job_number) where parent is null;
  `.execute(db)
}
