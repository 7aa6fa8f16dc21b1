import type { FleetTrends } from '@manc/sdk'
import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { sparkline } from '../output/chart.ts'
import { isJson, printJson, printList } from '../output/print.ts'
import { connect } from '../profile.ts'
import { emulatedOf, emulatedOption } from './fleet.emulated.ts'

type Row = Omit<FleetTrends, 'technologies' | 'from' | 'step_s'> & { technology: string }
type TrendName = Exclude<keyof Row, 'technology'>

export function fillTrends(command: Command): void {
  const trends = command.command('trends').description('counts and sums of the last hour, by technology')
  emulatedOption(trends).action(showTrends)
  examples(trends, 'manc fleet trends', 'manc fleet trends --json')
  const map = command
    .command('map')
    .description('what maps show below the access points, as JSON')
    .action(async (_options: unknown, own: Command) =>
      printJson(await (await connect(own)).fleet.mapLayers()),
    )
  examples(map, 'manc fleet map')
  const cells = command
    .command('cells')
    .description('access points as maps show them, grouped by place if there are many, as JSON')
    .action(async (_options: unknown, own: Command) => printJson(await (await connect(own)).fleet.cells()))
  examples(cells, 'manc fleet cells')
}

async function showTrends(_options: unknown, command: Command): Promise<void> {
  const trends = await (await connect(command)).fleet.trends(emulatedOf(command))
  if (isJson(command)) return printJson(trends)
  const { technologies, from: _from, step_s: _step, ...all } = trends
  await printList<Row>(
    command,
    [{ ...all, technology: 'all' }, ...technologies.filter(({ online }) => online.some((each) => each))],
    [
      { title: 'TECHNOLOGY', value: ({ technology }) => technology },
      column('ONLINE', 'online'),
      column('CLIENTS', 'clients'),
      column('MBIT/S', 'throughput_mbps'),
      column('WATTS', 'power_w'),
    ],
    'Nothing was recorded yet.',
  )
}

const column = (title: string, name: TrendName) => ({
  title,
  value: (row: Row) => sparkline(row[name].filter((value) => value !== null)),
})
