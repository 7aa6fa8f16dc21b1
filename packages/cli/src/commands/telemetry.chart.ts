import type { Manc } from '@manc/sdk'
import type { Command } from 'commander'
import { duration } from '../arguments.ts'
import { Failure, wrongUsage } from '../failure.ts'
import { chartLines } from '../output/chart.ts'
import { live } from '../output/live.ts'
import { isJson, print, printJson } from '../output/print.ts'
import { connect } from '../profile.ts'

interface Options {
  window: string
  once?: boolean
  height?: number
  from?: Date
  to?: Date
}

/** Default number of charts: as many as fit well on a terminal. */
const defaultCharts = 4
/** Odd, so that there is a row in the middle, with its number at the axis. */
const maxPlotRows = 7
/** Title, axis and times around a plot. */
const frameRows = 3

export async function showChart(
  apId: string,
  metrics: string[],
  options: Options,
  command: Command,
): Promise<void> {
  const manc = await connect(command)
  if (options.from) return showPeriod(manc, apId, metrics, { ...options, from: options.from }, command)
  if (options.to) throw wrongUsage('--to needs the start of the period as well. Add --from.')
  const { metrics: known } = await manc.telemetry.metrics(apId, { window: options.window })
  const labels = new Map(known.map(({ name, label }) => [name, label]))
  const chosen = metrics.length > 0 ? metrics : known.slice(0, defaultCharts).map(({ name }) => name)
  if (chosen.length === 0)
    throw new Failure(
      `${apId} has sent no values in the last ${options.window}. Try a longer window with --window 1d.`,
    )
  if (isJson(command)) return printJson(await manc.telemetry.chart(apId, chosen, { window: options.window }))
  const picture = (size: { rows: number; columns: number }, signal?: AbortSignal) =>
    draw(manc, { apId, chosen, labels, options, size, signal })
  if (options.once || !process.stdout.isTTY)
    await print(...(await picture({ rows: Infinity, columns: process.stdout.columns || 80 })))
  else await live(picture)
}

/** A period that may be over: drawn once. */
async function showPeriod(
  manc: Manc,
  apId: string,
  metrics: string[],
  { from, to = new Date(), height = maxPlotRows }: Options & { from: Date },
  command: Command,
): Promise<void> {
  if (metrics.length === 0)
    throw wrongUsage(`Name the metrics of the chart. To list them: manc telemetry metrics ${apId}`)
  const answer = await manc.telemetry.series(apId, metrics, { from, to })
  if (isJson(command)) return printJson(answer)
  const lines = answer.series.flatMap(({ metric, points }) =>
    chartLines({
      title: metric,
      points: points.map(({ ts, value }) => ({ at: Date.parse(ts), value })),
      fromMs: from.getTime(),
      toMs: to.getTime(),
      width: process.stdout.columns || 80,
      height,
    }),
  )
  await print(...lines)
}

async function draw(
  manc: Manc,
  {
    apId,
    chosen,
    labels,
    options: { window, height },
    size: { rows, columns },
    signal,
  }: {
    apId: string
    chosen: readonly string[]
    labels: ReadonlyMap<string, string>
    options: Options
    size: { rows: number; columns: number }
    signal: AbortSignal | undefined
  },
): Promise<string[]> {
  const { series } = await manc.telemetry.chart(apId, chosen, { window, ...(signal && { signal }) })
  const toMs = Date.now()
  // A number without a unit is in minutes, as in the API.
  const fromMs = toMs - duration(/^\d+$/.test(window) ? `${window}m` : window) * 1000
  const plotRows = Math.floor((rows - 1) / Math.max(1, series.length)) - frameRows
  const fitting = Math.max(3, Math.min(maxPlotRows, plotRows))
  return series.flatMap(({ metric, points }) =>
    chartLines({
      title: labels.get(metric) ?? metric,
      points: points.map(({ ts, value }) => ({ at: Date.parse(ts), value })),
      fromMs,
      toMs,
      width: columns,
      height: height ?? (fitting % 2 === 0 ? fitting - 1 : fitting),
    }),
  )
}
