import type { TableColumn } from '@manc/contract/table-columns'
import type { FleetTableRow, Manc } from '@manc/sdk'
import { isSelected, type Selection } from './selection.ts'
import { columns } from './table-columns.tsx'
import { filterOf, type TableState } from './table-search.ts'

const rowsPerRequest = 5000

/** The selected rows in the order of the table. */
export async function selectedRows(
  manc: Manc,
  state: TableState,
  selection: Selection,
  signal?: AbortSignal,
): Promise<FleetTableRow[]> {
  const found: FleetTableRow[] = []
  const wanted = selection.isAll ? Infinity : selection.ids.size
  for (let offset = 0; found.length < wanted; offset += rowsPerRequest) {
    const { rows, total } = await manc.fleet.table({
      ...filterOf(state),
      sort: state.sort,
      order: state.order,
      offset,
      limit: rowsPerRequest,
      ...(signal && { signal }),
    })
    for (const row of rows) if (isSelected(selection, row.ap_id)) found.push(row)
    if (offset + rows.length >= total || rows.length === 0) break
  }
  return found
}

/** With the id, which identifies a row also where the column is hidden. */
export function toCsv(rows: readonly FleetTableRow[], shown: readonly TableColumn[]): string {
  const names: TableColumn[] = ['ap_id', ...shown.filter((name) => name !== 'ap_id')]
  const lines = rows.map((row) => names.map((name) => cell(columns[name].value(row))).join(','))
  return `${[names.join(','), ...lines].join('\r\n')}\r\n`
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
