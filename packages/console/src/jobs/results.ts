import { csvField } from '@manc/contract/csv-field'

/** Rows shown of a long result; a download has all. */
export const maxShownRows = 10_000
const maxColumns = 16
const sampledRows = 1000
const rowsPerChunk = 5000
/** Columns for programs, shown last. */
const lastColumns = ['id', 'job_number', 'emulator']

type Row = Record<string, unknown>

/** The common columns of the rows; undefined if the rows differ too much for a table. */
export function columnsOf(rows: readonly unknown[]): string[] | undefined {
  const columns = new Set<string>()
  for (const row of rows.slice(0, sampledRows)) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return undefined
    for (const name of Object.keys(row)) columns.add(name)
    if (columns.size > maxColumns) return undefined
  }
  if (columns.size === 0) return undefined
  return [...columns].sort((a, b) => Number(lastColumns.includes(a)) - Number(lastColumns.includes(b)))
}

/** The text of a cell. */
export function cellOf(row: unknown, column: string): string {
  const value = (row as Row | null)?.[column]
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Written in chunks, so that a long result does not block the page. `shown` are the first columns. */
export async function csvOf(rows: readonly unknown[], shown: readonly string[]): Promise<Blob> {
  // Later rows may have more columns than the sampled ones.
  const all = new Set(shown)
  for (const row of rows) for (const name of Object.keys(row ?? {})) all.add(name)
  const columns = [...all]
  return inChunks(
    rows,
    `${columns.map(csvField).join(',')}\r\n`,
    (row) => `${columns.map((column) => csvField(cellOf(row, column))).join(',')}\r\n`,
    '',
    'text/csv',
  )
}

export async function jsonOf(rows: readonly unknown[]): Promise<Blob> {
  const last = rows.length - 1
  return inChunks(
    rows,
    '[\n',
    (row, index) => `${JSON.stringify(row)}${index < last ? ',' : ''}\n`,
    ']\n',
    'application/json',
  )
}

async function inChunks(
  rows: readonly unknown[],
  head: string,
  line: (row: unknown, index: number) => string,
  tail: string,
  type: string,
): Promise<Blob> {
  const chunks = [head]
  // A copy, since rows may be added and dropped meanwhile.
  const all = [...rows]
  for (let from = 0; from < all.length; from += rowsPerChunk) {
    chunks.push(
      all
        .slice(from, from + rowsPerChunk)
        .map((row, n) => line(row, from + n))
        .join(''),
    )
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return new Blob([...chunks, tail], { type })
}
