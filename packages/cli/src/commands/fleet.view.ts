import type { FleetAgent, FleetSummary, Health } from '@manc/sdk'
import { sparkline } from '../output/chart.ts'
import { paint, paintState } from '../output/colour.ts'
import { tableLines } from '../output/table.ts'
import { ago } from '../output/text.ts'
import { fleetColumns } from './agents.list.ts'

export interface Fleet {
  summary: FleetSummary
  agents: FleetAgent[]
}

/** Number of online access points per second, by technology. */
export type Trend = Map<string, number[]>

/** Counts by technology, state and health, and as many access points as fit. */
export function fleetLines(
  { summary, agents }: Fleet,
  { rows, columns, first, trend }: { rows: number; columns: number; first: number; trend?: Trend },
): string[] {
  const counts = [{ technology: 'all', ...summary }, ...summary.technologies.filter(({ total }) => total > 0)]
  const stateColumn = (state: 'online' | 'stale' | 'offline') => ({
    title: state.toUpperCase(),
    value: (row: (typeof counts)[number]) => row[state],
    paint: (text: string, row: (typeof counts)[number]) => (row[state] > 0 ? paintState(state, text) : text),
  })
  const healthColumn = (health: Health) => ({
    title: health.toUpperCase(),
    value: (row: (typeof counts)[number]) => row.health[health],
    paint: (text: string, row: (typeof counts)[number]) =>
      row.health[health] > 0 ? paintState(health, text) : text,
  })
  const head = tableLines(
    [
      { title: 'TECHNOLOGY', value: ({ technology }) => technology },
      { title: 'TOTAL', value: ({ total }) => total },
      stateColumn('online'),
      stateColumn('stale'),
      stateColumn('offline'),
      ...(['good', 'degraded', 'bad', 'unknown'] as const).map(healthColumn),
      ...(trend
        ? [
            {
              title: 'ONLINE, LAST MINUTE',
              value: ({ technology }: { technology: string }) => sparkline(trend.get(technology) ?? []),
            },
          ]
        : []),
    ],
    counts,
    columns,
  )
  const hidden =
    summary.hidden_emulated > 0 ? `, ${summary.hidden_emulated} emulated hidden (--emulated all)` : ''
  const asOf = (summary.as_of === null ? 'no ingester has run yet' : `as of ${ago(summary.as_of)}`) + hidden
  const shown = agents.slice(first, first + Math.max(1, rows))
  const end = first + shown.length
  const left =
    agents.length > shown.length ? paint('dim', `  ${first + 1} to ${end} of ${agents.length}`) : ''
  return [
    ...head,
    '',
    ...(agents.length === 0
      ? [`No access points found (${asOf}).`]
      : [...tableLines(fleetColumns, shown, columns), paint('dim', asOf) + left]),
  ]
}
