import { setImmediate as nextTurn } from 'node:timers/promises'
import type { VictoriaReads } from '../../engines/victoria.reads.ts'

/** In the order of the names of the metrics; NaN for one that the agent did not send. */
export type Values = Float64Array

/** An agent has the values of samples that are not older than this. */
const recentMs = 30_000
/** For agents whose clocks are ahead of ours. */
const aheadMs = 60_000
const linesPerTurn = 10_000
/** So that a request line has at most about 40 KiB. */
const idsPerQuery = 500
const labelsEnd = '"} '
const line = /^(\w+)\{ap_id="([^"]+)"\} (\S+) /

/** The current values of metrics. */
export class NewestValuesStore {
  readonly #victoria: VictoriaReads

  constructor(victoria: VictoriaReads) {
    this.#victoria = victoria
  }

  /** Of every agent that sent one of them lately, with one query. */
  async ofAll(names: readonly string[]): Promise<Map<string, Values>> {
    const found = new Map<string, Values>()
    await collect(await this.#victoria.newest(names, spanNow()), names, found)
    return found
  }

  /** One metric of every agent that sent it lately. */
  async ofMetric(name: string): Promise<Map<string, number>> {
    const text = await this.#victoria.newest([name], spanNow())
    const found = new Map<string, number>()
    const prefix = `${name}{ap_id="`
    let lines = 0
    for (let at = 0; at < text.length; ) {
      if (++lines % linesPerTurn === 0) await nextTurn()
      // Without a regular expression: there is a line for each agent.
      const idEnd = text.indexOf(labelsEnd, at + prefix.length)
      const valueEnd = text.indexOf(' ', idEnd + labelsEnd.length)
      const end = text.indexOf('\n', at)
      if (text.startsWith(prefix, at) && idEnd > 0 && valueEnd > 0)
        found.set(
          text.slice(at + prefix.length, idEnd),
          Number(text.slice(idEnd + labelsEnd.length, valueEnd)),
        )
      at = end < 0 ? text.length : end + 1
    }
    return found
  }

  /** Costs the same for a fleet of any size. */
  async of(apIds: readonly string[], names: readonly string[]): Promise<Map<string, Values>> {
    const span = spanNow()
    const found = new Map<string, Values>()
    const reading: Promise<string>[] = []
    for (let start = 0; start < apIds.length; start += idsPerQuery)
      reading.push(this.#victoria.newest(names, span, apIds.slice(start, start + idsPerQuery)))
    for (const text of await Promise.all(reading)) await collect(text, names, found)
    return found
  }
}

const spanNow = () => {
  const nowMs = Date.now()
  return { fromMs: nowMs - recentMs, toMs: nowMs + aheadMs }
}

async function collect(text: string, names: readonly string[], found: Map<string, Values>): Promise<void> {
  const indexes = new Map(names.map((name, index) => [name, index]))
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
    if (!values) found.set(apId, (values = new Float64Array(names.length).fill(Number.NaN)))
    values[index] = Number(value)
  }
}
