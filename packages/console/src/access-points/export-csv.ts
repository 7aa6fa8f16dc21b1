import { csvField } from '@manc/contract/csv-field'
import type { TableColumn } from '@manc/contract/table-columns'
import type { FleetTable, FleetTableOptions, FleetTableRow } from '@manc/sdk'
import { isSelected, type Selection } from './selection.ts'
import { columns } from './table-columns.tsx'
import { filterOf, type TableState } from './table-search.ts'

const rowsPerRequest = 5000

/** Reads rows of the table. */
export type ReadRows = (query: FleetTableOptions) => Promise<Pick<FleetTable, 'rows' | 'total'>>

/** The selected rows in the order of the table, also those that its filters do not match any more. */
export async function selectedRows(
  read: ReadRows,
  state: TableState,
  selection: Selection,
): Promise<FleetTableRow[]> {
  const found = await matchingRows(read, { ...filterOf(state), ...sortOf(state) }, selection)
  if (selection.isAll || found.length >= selection.ids.size) return found
  return matchingRows(read, { emulated: 'all', ...sortOf(state) }, selection)
}

async function matchingRows(
  read: ReadRows,
  query: FleetTableOptions,
  selection: Selection,
): Promise<FleetTableRow[]> {
  const found: FleetTableRow[] = []
  const wanted = selection.isAll ? Infinity : selection.ids.size
  for (let offset = 0; found.length < wanted; offset += rowsPerRequest) {
    const { rows, total } = await read({ ...query, offset, limit: rowsPerRequest })
    for (const row of rows) if (isSelected(selection, row.ap_id)) found.push(row)
    if (offset + rows.length >= total || rows.length === 0) break
  }
  return found
}

/** The ids of the rows from one index to another. */
export async function idsBetween(
  read: ReadRows,
  state: TableState,
  first: number,
  last: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let offset = first; offset <= last; offset += rowsPerRequest) {
    const limit = Math.min(rowsPerRequest, last - offset + 1)
    const { rows } = await read({ ...filterOf(state), ...sortOf(state), offset, limit })
    for (const { ap_id: apId } of rows) ids.push(apId)
    if (rows.length < limit) break
  }
  return ids
}

const sortOf = ({ sort, order }: TableState) => ({ sort, order })

/** With the id, which identifies a row also where the column is hidden. */
export function toCsv(
  rows: readonly FleetTableRow[],
  shown: readonly TableColumn[],
  nowMs = Date.now(),
): string {
  const names: TableColumn[] = ['ap_id', ...shown.filter((name) => name !== 'ap_id')]
  const lines = rows.map((row) => names.map((name) => csvField(columns[name].value(row, nowMs))).join(','))
  return `${[names.join(','), ...lines].join('\r\n')}\r\n`
}
