import type { FleetTable, FleetTableOptions } from '@manc/sdk'
import type { Command } from 'commander'
import {
  agentStates,
  count,
  healths,
  oneOf,
  someOf,
  sortOrders,
  tableSorts,
  technologies,
} from '../arguments.ts'
import { examples } from '../examples.ts'
import { isJson, printJson, printList } from '../output/print.ts'
import { connect } from '../profile.ts'
import { emulatedOf, emulatedOption } from './fleet.emulated.ts'

type Row = FleetTable['rows'][number]
type Metric = 'clients' | 'load_pct' | 'throughput_mbps' | 'packet_loss_pct' | 'latency_ms' | 'power_w'

export function fillTable(command: Command): void {
  const table = command.command('table').description('access points with their metrics, sorted by any column')
  table
    .option('--sort <column>', `the default is health: ${tableSorts.join(', ')}`, oneOf(tableSorts))
    .option('--order <order>', 'asc or desc; the default depends on the column', oneOf(sortOrders))
    .option('--limit <n>', 'number of rows; the default is 100, the maximum 5000', count)
    .option('--technology <names>', `only these: ${technologies.join(', ')}`, someOf(technologies))
    .option('--state <names>', `only these: ${agentStates.join(', ')}`, someOf(agentStates))
    .option('--health <names>', `only these: ${healths.join(', ')}`, someOf(healths))
    .option('--search <text>', 'only those whose id or name contains this text')
  emulatedOption(table).action(showTable)
  examples(table, 'manc fleet table --sort load_pct --limit 10', 'manc fleet table --health bad --json')
}

async function showTable(_options: unknown, command: Command): Promise<void> {
  const page = await (await connect(command)).fleet.table(requestOf(command))
  if (isJson(command)) return printJson(page)
  await printList<Row>(
    command,
    page.rows,
    [
      { title: 'AP_ID', value: ({ ap_id: apId }) => apId },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'TECHNOLOGY', value: ({ technology }) => technology },
      { title: 'HEALTH', value: ({ health }) => health },
      { title: 'PLACE', value: ({ place }) => place },
      column('CLIENTS', 'clients'),
      column('LOAD %', 'load_pct', 1),
      column('MBIT/S', 'throughput_mbps', 1),
      column('LOSS %', 'packet_loss_pct', 1),
      column('LATENCY MS', 'latency_ms', 1),
      column('WATTS', 'power_w', 1),
      { title: 'VERSION', value: ({ version }) => version },
    ],
    'No access point matches.',
  )
}

/** Options with the same names as those of `manc fleet` are parsed as its own. */
function requestOf(command: Command): FleetTableOptions {
  const { sort, order, limit, technology, state, health, search } =
    command.optsWithGlobals<FleetTableOptions>()
  return {
    ...(sort && { sort }),
    ...(order && { order }),
    ...(limit && { limit }),
    ...(technology && { technology }),
    ...(state && { state }),
    ...(health && { health }),
    ...(search !== undefined && { search }),
    ...emulatedOf(command),
  }
}

const column = (title: string, name: Metric, digits = 0) => ({
  title,
  value: (row: Row) => {
    const value = row[name]
    return value === null ? null : Number(value.toFixed(digits))
  },
})
