import { setImmediate as nextTurn } from 'node:timers/promises'
import type { VictoriaReads } from '../../engines/victoria.reads.ts'
import { currentForMs, fastIntervalS, periodsOf, recentMs, visitLines } from './newest-values.rules.ts'

/** In the order of the names of the metrics; NaN for one that the agent did not send. */
export type Values = Float64Array

/** Intervals in seconds of the agents that send less often than most, by id. */
export type SlowAgents = ReadonlyMap<string, number>

/** For agents whose clocks are ahead of ours. */
const aheadMs = 60_000
const linesPerTurn = 10_000
/** So that a request line has at most about 40 KiB. */
const idsPerQuery = 500
/** Of agents with the same period. One read of the values of all agents costs less than the reads of more of them. */
const maxSelected = 4 * idsPerQuery

/** The current values of metrics: the newest ones, unless they are older than the agent may be silent for. */
export class NewestValuesStore {
  readonly #victoria: VictoriaReads

  constructor(victoria: VictoriaReads) {
    this.#victoria = victoria
  }

  /** Of every agent that has one of them. */
  async ofAll(names: readonly string[], slow: SlowAgents): Promise<Map<string, Values>> {
    const found = new Map<string, Values>()
    await this.#visitAll(names, slow, collectorOf(names, found))
    return found
  }

  /** One metric of every agent that has it. */
  async ofMetric(metric: string, slow: SlowAgents): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    await this.#visitAll([metric], slow, (name, apId, value) => {
      if (name === metric) found.set(apId, value)
    })
    return found
  }

  /** Costs the same for a fleet of any size. The store is asked until the signal aborts. */
  async of(
    agents: readonly { apId: string; intervalS: number }[],
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, Values>> {
    const found = new Map<string, Values>()
    const intervals = new Map(agents.map(({ apId, intervalS }) => [apId, intervalS]))
    const collect = currentOnly(intervals, collectorOf(names, found))
    const reading: Promise<string>[] = []
    for (const [periodMs, members] of periodsOf(intervals.keys(), (apId) => intervals.get(apId) ?? 0))
      for (const apIds of chunksOf(members))
        reading.push(this.#victoria.newest(names, spanOf(periodMs), apIds, signal))
    for (const text of await Promise.all(reading)) await visitAllLines(text, collect)
    return found
  }

  /** One read after the other: each may be large. That of all agents has the values of those with shorter periods too. */
  async #visitAll(names: readonly string[], slow: SlowAgents, visit: Visit): Promise<void> {
    const collect = currentOnly(slow, visit)
    const read = async (periodMs: number, apIds?: readonly string[]) =>
      visitAllLines(await this.#victoria.newest(names, spanOf(periodMs), apIds), collect)
    const periods = [...periodsOf(slow.keys(), (apId) => slow.get(apId) ?? 0)]
    const large = periods.filter(([, members]) => members.length > maxSelected)
    const ofAllMs = Math.max(recentMs, ...large.map(([periodMs]) => periodMs))
    await read(ofAllMs)
    for (const [periodMs, members] of periods)
      if (periodMs > ofAllMs) for (const apIds of chunksOf(members)) await read(periodMs, apIds)
  }
}

type Visit = Parameters<typeof visitLines>[3]

function spanOf(periodMs: number) {
  const nowMs = Date.now()
  return { fromMs: nowMs - periodMs, toMs: nowMs + aheadMs }
}

function* chunksOf(apIds: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < apIds.length; start += idsPerQuery)
    yield apIds.slice(start, start + idsPerQuery)
}

/** Skips values that are too old for their agent: a period is longer than some of its agents need. */
function currentOnly(intervals: ReadonlyMap<string, number>, visit: Visit): Visit {
  const nowMs = Date.now()
  return (name, apId, value, atMs) => {
    if (atMs >= nowMs - currentForMs(intervals.get(apId) ?? fastIntervalS)) visit(name, apId, value, atMs)
  }
}

function collectorOf(names: readonly string[], found: Map<string, Values>): Visit {
  const indexes = new Map(names.map((name, index) => [name, index]))
  return (name, apId, value) => {
    const index = indexes.get(name)
    if (index === undefined) return
    let values = found.get(apId)
    if (!values) found.set(apId, (values = new Float64Array(names.length).fill(Number.NaN)))
    values[index] = value
  }
}

/** Large answers must not block other requests. */
async function visitAllLines(text: string, visit: Visit): Promise<void> {
  for (let at = 0; at < text.length; ) {
    at = visitLines(text, at, linesPerTurn, visit)
    if (at < text.length) await nextTurn()
  }
}
