import { sql } from './postgres.ts'

type Sql = ReturnType<typeof sql>

interface Lease {
  table: string
  /** Its primary key. */
  key: string
  /** The column with the time from which a row may be taken. */
  dueAt: string
  leaseS: number
  limit: number
  /** Which rows beside being due: `and …`. */
  where?: Sql
  /** Further assignments: `, … = …`. */
  set?: Sql
  returning: Sql
}

/**
 * Takes due rows of a table that is used as a queue, the oldest first. They are due again when the lease ends, so that
 * rows of a process that crashed are taken by another. Concurrent callers take different rows.
 *
 * The ids are collected in an array because a plain subquery may be run more than once by the planner's choice, and would
 * then take more rows than the limit.
 */
export function leaseDue<Row>({ table, key, dueAt, leaseS, limit, where, set, returning }: Lease) {
  const [name, id, due] = [sql.table(table), sql.ref(key), sql.ref(dueAt)]
  return sql<Row>`
    update ${name} set ${due} = now() + make_interval(secs => ${leaseS}) ${set ?? sql``}
    where ${id} = any(array(
      select ${id} from ${name} where ${due} <= now() ${where ?? sql``}
      order by ${due} limit ${limit} for update skip locked))
    returning ${returning}
  `
}
