import { paint } from './colour.ts'
import { clean, fit, pad, padLeft, widthOf } from './text.ts'

export interface Column<Row> {
  title: string
  value: (row: Row) => string | number | boolean | null | undefined
  /** Applied to the finished cell. */
  paint?: (text: string, row: Row) => string
}

const gap = 2
const minWidth = 8

/** Rows below titles. If the table is wider than `width`, the last column is shortened. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width = Infinity,
): string[] {
  const cells = rows.map((row) => columns.map(({ value }) => textOf(value(row))))
  const widths = columns.map(({ title }, n) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[n] ?? ''))),
  )
  const last = columns.length - 1
  const before = widths.slice(0, last).reduce((sum, each) => sum + each + gap, 0)
  widths[last] = Math.min(widths[last] ?? 0, Math.max(minWidth, width - before))
  const isNumeric = columns.map(
    ({ value }) => rows.length > 0 && rows.every((row) => typeof value(row) === 'number'),
  )
  const layOut = (text: string, n: number) => {
    const available = widths[n] ?? 0
    const fitted = fit(text, available)
    return isNumeric[n] ? padLeft(fitted, available) : n === last ? fitted : pad(fitted, available)
  }
  const between = ' '.repeat(gap)
  const head = columns.map(({ title }, n) => paint('bold', layOut(title, n))).join(between)
  const lines = cells.map((row, index) =>
    row
      .map((text, n) => {
        const laidOut = layOut(text, n)
        return columns[n]?.paint?.(laidOut, rows[index] as Row) ?? laidOut
      })
      .join(between)
      .trimEnd(),
  )
  return [head.trimEnd(), ...lines]
}

/** Names and values, one per line. */
export function recordLines(record: Record<string, string | number | boolean | null | undefined>): string[] {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined && value !== null)
  const width = Math.max(...entries.map(([name]) => widthOf(name)))
  return entries.map(([name, value]) => `${paint('bold', pad(name, width))}  ${textOf(value)}`)
}

function textOf(value: string | number | boolean | null | undefined): string {
  if (value === true) return 'yes'
  if (value === false) return 'no'
  return value === null || value === undefined ? '' : clean(String(value))
}
