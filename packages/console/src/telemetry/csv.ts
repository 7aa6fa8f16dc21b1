import type { Points } from './points.ts'

/** One row per timestamp, one column per metric. */
export function toCsv(columns: readonly { name: string; points: Points }[]): string {
  const timestamps = [...new Set(columns.flatMap(({ points }) => points.at))].sort((a, b) => a - b)
  const cursors = columns.map(({ points }) => ({ points, next: 0 }))
  const rows = timestamps.map((timestamp) => {
    const cells = cursors.map((column) => {
      if (column.points.at[column.next] !== timestamp) return ''
      return String(column.points.values[column.next++])
    })
    return [new Date(timestamp).toISOString(), ...cells].join(',')
  })
  const head = ['time', ...columns.map(({ name }) => quoted(name))].join(',')
  return `${[head, ...rows].join('\r\n')}\r\n`
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
