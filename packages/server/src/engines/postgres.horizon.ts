import { type Postgres, sql } from './postgres.ts'

/**
 * Following a table: each of its rows has the id of the transaction that wrote it last
 * (`transaction_id = pg_current_xact_id()`), and a replica polls for the rows that changed since its last poll.
 *
 * A sequence or a timestamp would miss rows: a transaction may take its number early and commit after a poll that has
 * already seen higher numbers. The horizon is the oldest transaction that was still running when the poll took its
 * snapshot. All transactions below it had ended, so this poll has seen their rows; all that commit later have an id at
 * or above it, so the next poll, from the horizon on, finds them. A row may be found more than once.
 *
 * After a failover that lost transactions, or in a restored database, their ids are used again. The horizon therefore
 * contains the timeline of the database, which a failover changes: with another timeline, or with an id that is still to
 * come, a poll finds all rows.
 */
const transactionText = 'pg_snapshot_xmin(pg_current_snapshot())'
/** Fails on a standby, which may be behind. */
const timelineText = `('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int`

/** The transaction of the horizon, and the timeline, as expressions for queries that `changesSince` does not fit. */
export const transactionNow = sql<string>`${sql.raw(transactionText)}::text`
export const timelineNow = sql<number>`${sql.raw(timelineText)}`

/** Of one timeline; undefined: of any. */
export interface Horizon {
  timeline?: number
  transaction: string
}

/** Below this are all rows. */
export const firstHorizon: Horizon = { transaction: '0' }
/** Above every transaction: a poll from here finds no row, but the horizon for the next one. */
export const lastHorizon: Horizon = { transaction: '18446744073709551615' }

interface Followed {
  /** Of the prepared statement. */
  name: string
  table: string
  /** The select list. */
  columns: string
  /** Which of the changed rows; its parameters begin with $3. */
  where?: string
  values?: unknown[]
}

interface Changes<Row> {
  rows: Row[]
  horizon: Horizon
}

/** The rows that were written since the horizon, and the horizon for the next poll: both of one snapshot. */
export async function changesSince<Row>(
  postgres: Postgres,
  { name, table, columns, where = 'true', values = [] }: Followed,
  { timeline, transaction }: Horizon,
): Promise<Changes<Row>> {
  const rows = await postgres.read<Row & Required<Horizon> & { isChange: true | null }>(
    name,
    `select ${timelineText} as timeline, now.transaction, changed.*
     from (select ${transactionText}::text as transaction) as now
     left join (
       select true as "isChange", ${columns} from ${table}
       where transaction_id >= (
         select case when $2::int is null or ($2 = ${timelineText} and $1::xid8 <= ${transactionText})
           then $1::xid8 else '0'::xid8 end)
       and ${where}
     ) as changed on true`,
    [transaction, timeline ?? null, ...values],
  )
  const [now] = rows
  if (!now) throw new Error(`the query "${name}" returned no row`)
  return {
    rows: rows.filter(({ isChange }) => isChange),
    horizon: { timeline: now.timeline, transaction: now.transaction },
  }
}
