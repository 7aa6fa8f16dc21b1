import { csvField } from '@manc/contract/csv-field'
import type { Points } from './points.ts'

/** One row per timestamp, one column per metric. Elapsed times are in seconds. */
export function toCsv(
  columns: readonly { name: string; points: Points }[],
  axis: 'time' | 'elapsed' = 'time',
): string {
  const timestamps = [...new Set(columns.flatMap(({ points }) => points.at))].sort((a, b) => a - b)
  const cursors = columns.map(({ points }) => ({ points, next: 0 }))
  const rows = timestamps.map((timestamp) => {
    const cells = cursors.map((column) => {
      if (column.points.at[column.next] !== timestamp) return ''
      return String(column.points.values[column.next++])
    })
    return [axis === 'time' ? new Date(timestamp).toISOString() : timestamp / 1000, ...cells].join(',')
  })
  const head = [axis === 'time' ? 'time' : 'elapsed_s', ...columns.map(({ name }) => csvField(name))].join(
    ',',
  )
  return `${[head, ...rows].join('\r\n')}\r\n`
}
