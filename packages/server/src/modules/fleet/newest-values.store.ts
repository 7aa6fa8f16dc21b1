import { setImmediate as nextTurn } from 'node:timers/promises'
import { chunksOf } from '../../chunks.ts'
import type { VictoriaReads } from '../../engines/victoria.reads.ts'
import type { FleetListStore } from './fleet-list.store.ts'
import { currentForMs, fastIntervalS, periodsOf, recentMs, visitLines } from './newest-values.rules.ts'

/** In the order of the names of the metrics; NaN for one that the agent did not send. */
export type Values = Float64Array

/** What is known of the intervals of agents. */
type Intervals = Pick<FleetListStore, 'slowGroups' | 'idsOf' | 'intervals'>
type Visit = Parameters<typeof visitLines>[3]

/** For agents whose clocks are ahead of ours. */
const aheadMs = 60_000
const linesPerTurn = 10_000
/** So that a request line has at most about 40 KiB. */
const idsPerQuery = 500
/** Of agents with similar intervals. One read of the values of all agents costs less than the reads of more of them. */
const maxSelected = 4 * idsPerQuery

/** The current values of metrics: the newest ones, unless they are older than the agent may be silent for. */
export class NewestValuesStore {
  readonly #victoria: VictoriaReads
  readonly #intervals: Intervals

  constructor(deps: { victoria: VictoriaReads; intervals: Intervals }) {
    this.#victoria = deps.victoria
    this.#intervals = deps.intervals
  }

  /** Of every agent that has one of them. */
  async ofAll(names: readonly string[]): Promise<Map<string, Values>> {
    const found = new Map<string, Values>()
    await this.#visitAll(names, collectorOf(names, found))
    return found
  }

  /** One metric of every agent that has it. */
  async ofMetric(metric: string): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    await this.#visitAll([metric], (name, apId, value) => {
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
    const visit = collectorOf(names, found)
    const nowMs = Date.now()
    const reading: Promise<string>[] = []
    for (const [periodMs, members] of periodsOf(intervals.keys(), (apId) => intervals.get(apId) ?? 0))
      for (const apIds of chunksOf(members, idsPerQuery))
        reading.push(this.#victoria.newest(names, spanOf(periodMs), apIds, signal))
    for (const text of await Promise.all(reading))
      await visitAllLines(text, (name, apId, value, atMs) => {
        const fromMs = nowMs - currentForMs(intervals.get(apId) ?? fastIntervalS)
        if (atMs >= fromMs) visit(name, apId, value, atMs)
      })
    return found
  }

  /**
   * One read after the other: each may be large. Those of all agents have the values of agents with shorter intervals too, and are of
   * one metric each: the store limits the series of a response, and a large fleet has more with all metrics.
   */
  async #visitAll(names: readonly string[], visit: Visit): Promise<void> {
    const known = new Map<string, number>()
    const read = async (some: readonly string[], periodMs: number, apIds?: readonly string[]) =>
      this.#visitCurrent(await this.#victoria.newest(some, spanOf(periodMs), apIds), known, visit)
    const groups = await this.#intervals.slowGroups(fastIntervalS)
    const large = groups.filter(({ agents }) => agents > maxSelected)
    const ofAllMs = Math.max(recentMs, ...large.map(({ longestS }) => currentForMs(longestS)))
    for (const name of names) await read([name], ofAllMs)
    for (const group of groups) {
      const periodMs = currentForMs(group.longestS)
      if (periodMs <= ofAllMs) continue
      const apIds = await this.#intervals.idsOf(group)
      for (const some of chunksOf(apIds, idsPerQuery)) await read(names, periodMs, some)
    }
  }

  /**
   * Skips values that are too old for their agent. Recent ones never are: only the intervals of the others are read, and added
   * to `intervals`.
   */
  async #visitCurrent(text: string, intervals: Map<string, number>, visit: Visit): Promise<void> {
    const nowMs = Date.now()
    let older: Parameters<Visit>[] = []
    const visitOlder = async () => {
      const unknown = new Set(older.map(([, apId]) => apId).filter((apId) => !intervals.has(apId)))
      for (const apId of unknown) intervals.set(apId, fastIntervalS)
      if (unknown.size > 0)
        for (const [apId, intervalS] of await this.#intervals.intervals([...unknown]))
          intervals.set(apId, intervalS)
      for (const [name, apId, value, atMs] of older)
        if (atMs >= nowMs - currentForMs(intervals.get(apId) ?? fastIntervalS)) visit(name, apId, value, atMs)
      older = []
    }
    await visitAllLines(
      text,
      (name, apId, value, atMs) => {
        if (atMs >= nowMs - recentMs) visit(name, apId, value, atMs)
        else older.push([name, apId, value, atMs])
      },
      visitOlder,
    )
  }
}

function spanOf(periodMs: number) {
  const nowMs = Date.now()
  return { fromMs: nowMs - periodMs, toMs: nowMs + aheadMs }
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
async function visitAllLines(text: string, visit: Visit, afterTurn = async () => {}): Promise<void> {
  for (let at = 0; at < text.length; ) {
    at = visitLines(text, at, linesPerTurn, visit)
    await afterTurn()
    if (at < text.length) await nextTurn()
  }
}
