import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Span, VictoriaReads } from '../../engines/victoria.reads.ts'

/** The metrics that are aggregated over the fleet. */
export const figureNames = [
  'clients',
  'throughput_mbps',
  'power_w',
  'load_pct',
  'latency_ms',
  'signal_quality',
] as const
export type FigureName = (typeof figureNames)[number]

/** In the order of `figureNames`; NaN for a metric that the agent did not send. */
export type Values = Float64Array

const indexes = new Map<string, number>(figureNames.map((name, index) => [name, index]))
const linesPerTurn = 10_000
const line = /^(\w+)\{ap_id="([^"]+)"\} (\S+) /

export class FiguresStore {
  readonly #victoria: VictoriaReads

  constructor(victoria: VictoriaReads) {
    this.#victoria = victoria
  }

  /** The newest values of every agent that sent within the span, with one query. */
  async newest(span: Span): Promise<Map<string, Values>> {
    const text = await this.#victoria.newest(figureNames, span)
    const found = new Map<string, Values>()
    let lines = 0
    for (let at = 0; at < text.length; ) {
      // Large answers must not block other requests.
      if (++lines % linesPerTurn === 0) await nextTurn()
      const end = text.indexOf('\n', at)
      const [, name = '', apId = '', value] = line.exec(text.slice(at, end < 0 ? text.length : end)) ?? []
      at = end < 0 ? text.length : end + 1
      const index = indexes.get(name)
      if (index === undefined) continue
      let values = found.get(apId)
      if (!values) found.set(apId, (values = new Float64Array(figureNames.length).fill(Number.NaN)))
      values[index] = Number(value)
    }
    return found
  }
}
