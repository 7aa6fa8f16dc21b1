import type { LiveSample, Manc } from '@manc/sdk'
import type { Command } from 'commander'
import { outageOf } from '../errors.ts'
import { sparkline } from '../output/chart.ts'
import { isJson, print, printNotice } from '../output/print.ts'
import { Screen } from '../output/screen.ts'
import { tableLines } from '../output/table.ts'
import { clean, counted, figure } from '../output/text.ts'
import { connect } from '../profile.ts'

interface Options {
  metrics?: string[]
  count?: number
}

export async function watchAgents(apIds: string[], options: Options, command: Command): Promise<void> {
  const manc = await connect(command)
  const isDrawn = process.stdout.isTTY && !isJson(command)
  const screen = new Screen((name) => {
    if (name === 'q') screen.quit()
  })
  const board = new Board()
  let outage = ''
  const draw = () => {
    const lines = board.lines(screen.columns)
    const shown = lines.length > 1 ? lines : [`Waiting for samples of ${apIds.join(', ')} … q to quit.`]
    screen.draw(outage === '' ? shown : [...shown.slice(0, screen.rows - 1), outage])
  }
  if (isDrawn) {
    screen.open()
    draw()
    pollAvailability(manc, screen.signal, (text) => {
      outage = text
      draw()
    })
  } else process.once('SIGINT', screen.quit)
  let taken = 0
  try {
    for await (const sample of manc.telemetry.watch(apIds, { signal: screen.signal })) {
      const shown = chosen(sample, options.metrics)
      if (isDrawn) {
        outage = ''
        board.take(shown)
        draw()
      } else await print(isJson(command) ? JSON.stringify(shown) : lineOf(shown))
      if (++taken === options.count) break
    }
  } catch (error) {
    // Quitting is the normal end.
    if (!screen.signal.aborted) throw error
  } finally {
    screen.quit()
    screen.close()
  }
  if (isDrawn && taken > 0) await print(...board.lines(screen.columns))
  printNotice(`${counted(taken, 'sample')}.`)
}

const pollIntervalMs = 3000

/** The stream retries silently during an outage. A second request detects the outage, so that it can be shown. */
function pollAvailability(manc: Manc, signal: AbortSignal, report: (outage: string) => void): void {
  const poll = async () => {
    try {
      await manc.fleet.summary({ signal })
      report('')
    } catch (error) {
      // A refusal is a response too. Other errors are reported by the stream.
      if (!signal.aborted) report((await outageOf(error)) ?? '')
    }
    if (!signal.aborted) timer = setTimeout(() => void poll(), pollIntervalMs)
  }
  let timer = setTimeout(() => void poll(), pollIntervalMs)
  signal.addEventListener('abort', () => clearTimeout(timer))
}

function chosen(sample: LiveSample, metrics: readonly string[] | undefined): LiveSample {
  if (!metrics) return sample
  const values = Object.fromEntries(Object.entries(sample.values).filter(([name]) => metrics.includes(name)))
  return { ...sample, values }
}

const lineOf = ({ agent_id: apId, time, values }: LiveSample) =>
  clean(
    `${time}  ${apId}  ${Object.entries(values)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')}`,
  )

const recentValues = 40

interface Row {
  apId: string
  metric: string
  value: number | string
  recent: number[]
}

/** The newest value of every metric, with recent values. */
class Board {
  readonly #rows = new Map<string, Row>()

  take({ agent_id: apId, values }: LiveSample): void {
    for (const [metric, value] of Object.entries(values)) {
      const row = this.#rows.get(`${apId} ${metric}`) ?? { apId, metric, value, recent: [] }
      row.value = value
      if (typeof value === 'number') row.recent = [...row.recent, value].slice(-recentValues)
      this.#rows.set(`${apId} ${metric}`, row)
    }
  }

  lines(columns: number): string[] {
    return tableLines<Row>(
      [
        { title: 'AGENT', value: ({ apId }) => apId },
        { title: 'METRIC', value: ({ metric }) => metric },
        { title: 'VALUE', value: ({ value }) => (typeof value === 'number' ? figure(value) : value) },
        { title: 'RECENT', value: ({ recent }) => sparkline(recent) },
      ],
      [...this.#rows.values()],
      columns,
    )
  }
}
