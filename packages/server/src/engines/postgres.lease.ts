import { sql } from './postgres.ts'

interface Queue {
  table: string
  /** Its primary key. */
  key: string
  /** The column with the time from which a row may be taken. */
  dueAt: string
  limit: number
  /** A column with the rows that are taken before all others. */
  first?: string
  /** Which rows, beside being due: `and …`. */
  where?: ReturnType<typeof sql>
}

/**
 * Condition of an `update` that takes due rows of a table that is used as a queue, the oldest first. The update sets the
 * due time to the end of the lease: rows of a process that crashed are taken by another then. Concurrent callers take
 * different rows.
 *
 * The ids are collected in an array, because the planner may choose to run a plain subquery more than once, which would
 * take more rows than the limit.
 */
export function isNextDue({ table, key, dueAt, limit, first, where }: Queue) {
  const [id, due] = [sql.ref(key), sql.ref(dueAt)]
  return sql`
    ${id} = any(array(
      select ${id} from ${sql.table(table)} where ${due} <= now() ${where ?? sql``}
      order by ${first ? sql`${sql.ref(first)} desc, ` : sql``}${due} limit ${limit} for update skip locked))
  `
}
