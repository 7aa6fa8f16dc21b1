/** Of a long result the first are shown; a download has all. */
export const maxShownRows = 10_000
const maxColumns = 16
const lookedAt = 1000
const rowsAtOnce = 5000
/** Of use to programs: these columns are the last. */
const numbers = ['id', 'job_number', 'emulator']

type Row = Record<string, unknown>

/** The columns of rows that are alike; undefined where they are not, and better shown as they are. */
export function columnsOf(rows: readonly unknown[]): string[] | undefined {
  const columns = new Set<string>()
  for (const row of rows.slice(0, lookedAt)) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return undefined
    for (const name of Object.keys(row)) columns.add(name)
    if (columns.size > maxColumns) return undefined
  }
  if (columns.size === 0) return undefined
  return [...columns].sort((a, b) => Number(numbers.includes(a)) - Number(numbers.includes(b)))
}

/** What is in a cell, as text. */
export function cellOf(row: unknown, column: string): string {
  const value = (row as Row | null)?.[column]
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** RFC 4180. What a spreadsheet would take for a formula is made plain text: agents choose these words. */
function fieldOf(text: string): string {
  const plain = /^[=+@\t\r-]/.test(text) && !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** In pieces, with the page in between: a long result does not freeze it. `shown` are its first columns. */
export async function csvOf(rows: readonly unknown[], shown: readonly string[]): Promise<Blob> {
  // Rows further down may have more than those that were looked at.
  const all = new Set(shown)
  for (const row of rows) for (const name of Object.keys(row ?? {})) all.add(name)
  const columns = [...all]
  return inPieces(
    rows,
    `${columns.map(fieldOf).join(',')}\r\n`,
    (row) => `${columns.map((column) => fieldOf(cellOf(row, column))).join(',')}\r\n`,
    '',
    'text/csv',
  )
}

export async function jsonOf(rows: readonly unknown[]): Promise<Blob> {
  const last = rows.length - 1
  return inPieces(
    rows,
    '[\n',
    (row, index) => `${JSON.stringify(row)}${index < last ? ',' : ''}\n`,
    ']\n',
    'application/json',
  )
}

async function inPieces(
  rows: readonly unknown[],
  head: string,
  line: (row: unknown, index: number) => string,
  tail: string,
  type: string,
): Promise<Blob> {
  const pieces = [head]
  // More may come, and the oldest go, while this is under way.
  const all = [...rows]
  for (let from = 0; from < all.length; from += rowsAtOnce) {
    pieces.push(
      all
        .slice(from, from + rowsAtOnce)
        .map((row, n) => line(row, from + n))
        .join(''),
    )
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return new Blob([...pieces, tail], { type })
}
