import type { Command } from 'commander'
import { Option } from 'commander'
import { count, emulatedChoices, moment, oneOf, technologies } from '../arguments.ts'
import { examples } from '../examples.ts'
import { sparkline } from '../output/chart.ts'
import { isJson, printJson, printList } from '../output/print.ts'
import { ago, figure } from '../output/text.ts'
import { connect } from '../profile.ts'
import { showChart } from './telemetry.chart.ts'
import { streamHistory } from './telemetry.history.ts'
import { showSummary } from './telemetry.summary.ts'

const sparks = 40

export function fill(command: Command): void {
  const metrics = withWindow(
    command.command('metrics <agent>').description('list the metrics of an access point'),
  )
  metrics.action(async (apId: string, { window }: { window: string }, self: Command) => {
    const answer = await (await connect(self)).telemetry.metrics(apId, { window })
    await printList(
      self,
      answer.metrics,
      [
        { title: 'METRIC', value: ({ name }) => name },
        { title: 'LABEL', value: ({ label }) => label },
      ],
      noValues(apId, window),
    )
  })
  examples(metrics, 'manc telemetry metrics wifi-1 --window 1h')

  const show = withWindow(command.command('show <agent>').description('show the newest value of each metric'))
  show.action(async (apId: string, { window }: { window: string }, self: Command) => {
    const answer = await (await connect(self)).telemetry.all(apId, { window })
    if (isJson(self)) return printJson(answer)
    await printList(
      self,
      answer.series,
      [
        { title: 'METRIC', value: ({ metric }) => metric },
        { title: 'VALUE', value: ({ points }) => figure(points.at(-1)?.value ?? Number.NaN) },
        { title: 'TIME', value: ({ points }) => ago(points.at(-1)?.ts ?? null) },
        {
          title: 'RECENT',
          value: ({ points }) => sparkline(points.slice(-sparks).map(({ value }) => value)),
        },
      ],
      noValues(apId, window),
    )
  })
  examples(show, 'manc telemetry show wifi-1', 'manc telemetry show wifi-1 --window 10s --json')

  const chart = withWindow(
    command.command('chart <agent> [metrics...]').description('draw charts of metrics, updated every second'),
  )
  chart
    .option('--once', 'print once instead of a live view')
    .option('--height <rows>', 'rows of each chart', count)
    .option('--from <time>', 'start of a period instead of a window: a time, or how long ago, as 2h', moment)
    .option('--to <time>', 'end of the period; default: now', moment)
    .action(showChart)
  examples(
    chart,
    'manc telemetry chart wifi-1',
    'manc telemetry chart wifi-1 clients rssi_dbm --window 30m --once',
    'manc telemetry chart wifi-1 load_pct --from 2026-11-01 --to 2026-11-02',
  )

  const summary = command
    .command('summary')
    .description('show the median and the spread over the access points of a technology')
    .argument('<technology>', `one of ${technologies.join(', ')}`, oneOf(technologies))
    .argument('<metrics...>', 'names of metrics, at most 8')
  summary
    .option('--from <time>', 'start: a time, or how long ago, as 2h; default: 1h', moment)
    .option('--to <time>', 'end; default: now', moment)
    .option(
      '--emulated <which>',
      `emulated access points to include: ${emulatedChoices.join(', ')}`,
      oneOf(emulatedChoices),
    )
    .action(showSummary)
  examples(
    summary,
    'manc telemetry summary WiFi load_pct latency_ms --from 1d',
    'manc telemetry summary LiFi throughput_mbps --from 2026-11-01 --to 2026-11-02 --json',
  )

  const history = command
    .command('history <agent>')
    .description('print all values of a period in chronological order')
  history
    .option('--from <time>', 'start: a time, or how long ago, as 2h', moment)
    .option('--to <time>', 'end; default: now', moment)
    .addOption(
      new Option('--format <name>', 'output format').choices(['csv', 'json', 'ndjson']).default('csv'),
    )
    .option('--output <file>', 'file instead of standard output')
    .action(streamHistory)
  examples(
    history,
    'manc telemetry history wifi-1 --from 2h > wifi-1.csv',
    'manc telemetry history wifi-1 --from 2026-11-01 --to 2026-11-02 --format ndjson --output day.ndjson',
  )
}

const withWindow = (command: Command): Command =>
  command.option('--window <time>', 'length of the time window, for example 30s, 5m, 1h, 2d', '5m')

const noValues = (apId: string, window: string) =>
  `${apId} has sent no values in the last ${window}. Try a longer window with --window 1d.`
