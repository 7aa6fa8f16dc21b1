import { sqlAt } from '@manc/harness'

/** The rows of each table as text. */
export type TableRows = ReadonlyMap<string, ReadonlySet<string>>

/** Without the ids of transactions: restore replaces those that the new server has not reached. */
const rowText = `(to_jsonb(t) - 'transaction_id' - 'changed_in')::text`

export async function readTables(databaseUrl: string): Promise<TableRows> {
  const { rows: names } = await sqlAt(
    databaseUrl,
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and not relispartition order by relname`,
  )
  const tables = new Map<string, Set<string>>()
  for (const { relname } of names) {
    const { rows } = await sqlAt(databaseUrl, `select ${rowText} as row from "${relname}" t`)
    tables.set(relname, new Set(rows.map(({ row }) => row)))
  }
  return tables
}

export interface RowComparison {
  restored: number
  /** Rows that were the same before and after the backup, and are not restored: `table: row`. */
  missing: string[]
  /** Rows that are restored with values that they had neither before nor after the backup. */
  changedMeanwhile: Record<string, number>
}

/** A row that is the same before and after the backup was in its snapshot. Other rows changed while it was taken. */
export function compareRows(before: TableRows, after: TableRows, restored: TableRows): RowComparison {
  const missing: string[] = []
  const changedMeanwhile: Record<string, number> = {}
  let count = 0
  for (const [table, rows] of before) {
    const rowsAfter = after.get(table) ?? new Set()
    const rowsRestored = restored.get(table) ?? new Set()
    for (const row of rows) if (rowsAfter.has(row) && !rowsRestored.has(row)) missing.push(`${table}: ${row}`)
    const changed = [...rowsRestored].filter((row) => !rows.has(row) && !rowsAfter.has(row)).length
    if (changed > 0) changedMeanwhile[table] = changed
    count += rowsRestored.size
  }
  return { restored: count, missing, changedMeanwhile }
}

/** Rows whose transaction the server has not reached yet: every poll for changes would find them. */
export async function countFutureRows(databaseUrl: string): Promise<number> {
  let count = 0
  for (const table of ['commands', 'fleet', 'fleet_gone', 'mailbox', 'revocations']) {
    const { rows } = await sqlAt(
      databaseUrl,
      `select count(*)::int as future from ${table} where transaction_id > pg_current_xact_id()`,
    )
    count += rows[0].future
  }
  return count
}
