import type { LiveSample, Manc } from '@manc/sdk'
import type { Command } from 'commander'
import { outageOf } from '../errors.ts'
import { sparkline } from '../output/chart.ts'
import { isJson, note, print } from '../output/print.ts'
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
    const shown = lines.length > 1 ? lines : [`Waiting for samples of ${apIds.join(', ')} … q leaves.`]
    screen.draw(outage === '' ? shown : [...shown.slice(0, screen.rows - 1), outage])
  }
  if (isDrawn) {
    screen.open()
    draw()
    lookAfter(manc, screen.signal, (trouble) => {
      outage = trouble
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
    // Leaving is how this ends.
    if (!screen.signal.aborted) throw error
  } finally {
    screen.quit()
    screen.close()
  }
  if (isDrawn && taken > 0) await print(...board.lines(screen.columns))
  note(`${counted(taken, 'sample')}.`)
}

const lookEveryMs = 3000

/** A stream waits through an outage without a word. Asked beside it, the controller shows whether it is there. */
function lookAfter(manc: Manc, signal: AbortSignal, tell: (outage: string) => void): void {
  const look = async () => {
    try {
      await manc.fleet.summary({ signal })
      tell('')
    } catch (error) {
      // Also who may not ask this has had an answer. What else is wrong, the stream says.
      if (!signal.aborted) tell((await outageOf(error)) ?? '')
    }
    if (!signal.aborted) timer = setTimeout(() => void look(), lookEveryMs)
  }
  let timer = setTimeout(() => void look(), lookEveryMs)
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

const kept = 40

interface Row {
  apId: string
  metric: string
  value: number | string
  recent: number[]
}

/** The newest value of every metric, with how it went. */
class Board {
  readonly #rows = new Map<string, Row>()

  take({ agent_id: apId, values }: LiveSample): void {
    for (const [metric, value] of Object.entries(values)) {
      const row = this.#rows.get(`${apId} ${metric}`) ?? { apId, metric, value, recent: [] }
      row.value = value
      if (typeof value === 'number') row.recent = [...row.recent, value].slice(-kept)
      this.#rows.set(`${apId} ${metric}`, row)
    }
  }

  lines(columns: number): string[] {
    return tableLines<Row>(
      [
        { title: 'AGENT', value: ({ apId }) => apId },
        { title: 'METRIC', value: ({ metric }) => metric },
        { title: 'VALUE', value: ({ value }) => (typeof value === 'number' ? figure(value) : value) },
        { title: 'RECENTLY', value: ({ recent }) => sparkline(recent) },
      ],
      [...this.#rows.values()],
      columns,
    )
  }
}
