import type { RawBuilder } from 'kysely'
import type { Tables } from './postgres.tables.ts'
import { type Executor, sql } from './postgres.ts'

/** So that each statement ends within the timeout, and other writers of its rows wait briefly. */
const rowsPerStatement = 1000

/** Deletes the rows that fulfil a condition, which is checked again for each: another process may have changed it meanwhile. */
export async function deleteInBatches(
  db: Executor,
  table: keyof Tables,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const rows = sql.table(table)
  const deleteSome = () =>
    sql`
      delete from ${rows} where ctid = any(array(select ctid from ${rows} where ${condition} limit ${rowsPerStatement}))
        and (${condition})
    `.execute(db)
  while (((await deleteSome()).numAffectedRows ?? 0n) >= rowsPerStatement);
}
