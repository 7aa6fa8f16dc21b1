import { type Postgres, sql } from './postgres.ts'

/**
 * Following a table: each of its rows has the id of the transaction that wrote it last
 * (`transaction_id = pg_current_xact_id()`), and a replica polls for the rows that changed since its last poll.
 *
 * A sequence or a timestamp would miss rows: a transaction may take its number early and commit after a poll that has
 * already seen higher numbers. The horizon is the oldest transaction that was still running when the poll took its
 * snapshot. All transactions below it had ended, so this poll has seen their rows; all that commit later have an id at
 * or above it, so the next poll, from the horizon on, finds them. A row may be found more than once.
 */
const horizonText = 'pg_snapshot_xmin(pg_current_snapshot())::text'

/** The horizon, as an expression for queries that `changesSince` does not fit. */
export const horizonNow = sql<string>`${sql.raw(horizonText)}`

/** Below this are all rows. */
export const firstHorizon = '0'
/** Above every transaction: a poll from here finds no row, but the horizon for the next one. */
export const lastHorizon = '18446744073709551615'

interface Followed {
  /** Of the prepared statement. */
  name: string
  table: string
  /** The select list. */
  columns: string
  /** Which of the changed rows; its parameters begin with $2. */
  where?: string
  values?: unknown[]
}

interface Changes<Row> {
  rows: Row[]
  horizon: string
}

/** The rows that were written since the horizon, and the horizon for the next poll: both of one snapshot. */
export async function changesSince<Row>(
  postgres: Postgres,
  { name, table, columns, where = 'true', values = [] }: Followed,
  horizon: string,
): Promise<Changes<Row>> {
  const rows = await postgres.read<Row & { horizon: string; isChange: true | null }>(
    name,
    `select now.horizon, changed.*
     from (select ${horizonText} as horizon) as now
     left join (
       select true as "isChange", ${columns} from ${table} where transaction_id >= $1::xid8 and ${where}
     ) as changed on true`,
    [horizon, ...values],
  )
  return { rows: rows.filter(({ isChange }) => isChange), horizon: rows[0]?.horizon ?? horizon }
}
