import { type Kysely, sql } from 'kysely'

/**
 * A sample of few bulk commands makes the planner believe that each of them has most of the rows: it then reads the whole
 * table to count the parts of one. ANALYZE stores these numbers instead, one in a hundred rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table commands alter column parent set (n_distinct = -0.01);
    alter table jobs alter column parent set (n_distinct = -0.01);
  `.execute(db)
}
