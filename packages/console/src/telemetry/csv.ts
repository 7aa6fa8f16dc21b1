import type { Points } from './points.ts'

/** A row for each moment at which anything was measured, a column for each metric. */
export function toCsv(columns: readonly { name: string; points: Points }[]): string {
  const moments = [...new Set(columns.flatMap(({ points }) => points.at))].sort((a, b) => a - b)
  const reading = columns.map(({ points }) => ({ points, next: 0 }))
  const rows = moments.map((moment) => {
    const cells = reading.map((column) => {
      if (column.points.at[column.next] !== moment) return ''
      return String(column.points.values[column.next++])
    })
    return [new Date(moment).toISOString(), ...cells].join(',')
  })
  const head = ['time', ...columns.map(({ name }) => shellQuote(name))].join(',')
  return `${[head, ...rows].join('\r\n')}\r\n`
}

const shellQuote = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
