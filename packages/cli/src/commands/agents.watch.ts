import type { LiveSample } from '@manc/sdk'
import type { Command } from 'commander'
import { sparkline } from '../output/chart.ts'
import { isJson, note, print } from '../output/print.ts'
import { Screen } from '../output/screen.ts'
import { tableLines } from '../output/table.ts'
import { clean, figure } from '../output/text.ts'
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
  if (isDrawn) {
    screen.open()
    screen.draw([`Waiting for samples of ${apIds.join(', ')} … q leaves.`])
  } else process.once('SIGINT', screen.quit)
  let taken = 0
  try {
    for await (const sample of manc.telemetry.watch(apIds, { signal: screen.signal })) {
      const shown = chosen(sample, options.metrics)
      if (isDrawn) screen.draw(board.take(shown, screen.columns))
      else await print(isJson(command) ? JSON.stringify(shown) : lineOf(shown))
      if (++taken === options.count) break
    }
  } catch (error) {
    // Leaving is how this ends.
    if (!screen.signal.aborted) throw error
  } finally {
    screen.close()
  }
  if (isDrawn) await print(...board.lines(screen.columns))
  note(`${taken} samples.`)
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

  take({ agent_id: apId, values }: LiveSample, columns: number): string[] {
    for (const [metric, value] of Object.entries(values)) {
      const row = this.#rows.get(`${apId} ${metric}`) ?? { apId, metric, value, recent: [] }
      row.value = value
      if (typeof value === 'number') row.recent = [...row.recent, value].slice(-kept)
      this.#rows.set(`${apId} ${metric}`, row)
    }
    return this.lines(columns)
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
