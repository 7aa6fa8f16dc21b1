import type { FleetFigures } from '@manc/sdk'
import type { Command } from 'commander'
import { examples } from '../examples.ts'
import { isJson, printJson, printList } from '../output/print.ts'
import { connect } from '../profile.ts'
import { emulatedOf, emulatedOption } from './fleet.emulated.ts'

type Row = FleetFigures['technologies'][number] | (Omit<FleetFigures, 'technologies'> & { technology: 'all' })
type FigureName = Exclude<keyof FleetFigures, 'technologies' | 'as_of' | 'busiest' | 'loads'>

export function fillFigures(command: Command): void {
  const figures = command
    .command('figures')
    .description('aggregated metrics of the access points, by technology')
  emulatedOption(figures).action(showFigures)
  examples(figures, 'manc fleet figures', 'manc fleet figures --emulated none', 'manc fleet figures --json')
}

async function showFigures(_options: unknown, command: Command): Promise<void> {
  const figures = await (await connect(command)).fleet.figures(emulatedOf(command))
  if (isJson(command)) return printJson(figures)
  await printList<Row>(
    command,
    [{ ...figures, technology: 'all' }, ...figures.technologies.filter(({ agents }) => agents > 0)],
    [
      { title: 'TECHNOLOGY', value: ({ technology }) => technology },
      column('AGENTS', 'agents'),
      column('CLIENTS', 'clients'),
      column('MBIT/S', 'throughput_mbps', 1),
      column('WATTS', 'power_w', 1),
      column('LOAD %', 'load_pct', 1),
      column('LATENCY MS', 'latency_ms', 1),
      { title: 'BUSIEST', value: ({ busiest: [first] }) => first?.ap_id },
    ],
    'No access point has sent samples recently.',
  )
}

const column = (title: string, name: FigureName, digits = 0) => ({
  title,
  value: (row: Row) => {
    const value = row[name]
    return value === null ? null : Number(value.toFixed(digits))
  },
})
