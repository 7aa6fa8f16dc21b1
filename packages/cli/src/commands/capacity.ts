import type { Command } from 'commander'
import { count, duration } from '../arguments.ts'
import coefficients from '../capacity/coefficients.json' with { type: 'json' }
import { type Nodes, planOf } from '../capacity/plan.ts'
import { examples } from '../examples.ts'
import { isJson, print, printJson, printNotice } from '../output/print.ts'
import { tableLines } from '../output/table.ts'

interface Options {
  agents: number
  interval: number
  metrics: number
  retention: number
}

export function fill(command: Command): void {
  command
    .requiredOption('--agents <count>', 'number of access points', count)
    .option('--interval <time>', 'time between two messages of an access point, as 10s', duration, 10)
    .option('--metrics <count>', 'metrics in a message', count, 20)
    .option('--retention <days>', 'days for which telemetry is kept', count, 395)
    .action(show)
  examples(
    command,
    'manc capacity --agents 5000',
    'manc capacity --agents 1000000 --interval 60s --metrics 20 --retention 90',
    'manc capacity --agents 5000 --json',
  )
}

async function show({ agents, interval, metrics, retention }: Options, command: Command): Promise<void> {
  const plan = planOf({ agents, intervalS: interval, metrics, retentionDays: retention }, coefficients)
  if (isJson(command)) await printJson(plan)
  else {
    const { one_machine: machine } = plan
    await print(
      `${grouped(plan.messages_per_s)} messages/s, ${grouped(plan.points_per_s)} points/s, ` +
        `${grouped(plan.series)} series, ${plan.telemetry_queues} telemetry queues`,
      '',
      'A cluster that survives the loss of one node of each part. Cores, memory and disk are those of one node.',
      ...tableLines<Nodes>(
        [
          { title: 'PART', value: ({ part }) => part },
          { title: 'NODES', value: ({ nodes }) => nodes },
          { title: 'CORES', value: ({ cores }) => cores },
          { title: 'MEMORY GIB', value: ({ memory_gib }) => memory_gib },
          { title: 'DISK GIB', value: ({ disk_gib }) => disk_gib },
        ],
        plan.cluster,
      ),
      '',
      `Everything on one machine instead: ${machine.cores} cores, ${machine.memory_gib} GiB of memory, ` +
        `${machine.disk_gib} GiB of disk.`,
    )
  }
  if (plan.is_extrapolated)
    printNotice(
      `More than ${grouped(plan.largest_measured_messages_per_s)} messages/s were not measured: these figures are ` +
        'extrapolated. Use a longer --interval, measure on your machines (npm run bench -- capacity), or divide the ' +
        'network into several installations: docs/operations/capacity.md.',
    )
}

const grouped = (value: number): string => value.toLocaleString('en-US')
