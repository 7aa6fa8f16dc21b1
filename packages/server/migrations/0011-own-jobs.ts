import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One's own jobs by time, whatever is asked of them: the parts of commands to many are not passed on the way.
    create index jobs_own on jobs (owner, created_at, job_number) where parent is null;
  `.execute(db)
}
