import {
  type FleetTrends,
  type TrendName,
  technologies,
  trendNames,
  trendPoints,
  trendStepS,
} from '@manc/contract'
import type { Logger } from 'pino'
import { Refused } from '../../errors.ts'
import type { FiguresService } from './figures.service.ts'
import type { FleetView } from './fleet-list.store.ts'
import type { GroupSums, TrendRow, TrendsStore } from './trends.store.ts'

const stepMs = trendStepS * 1000

/** Counts and sums of the fleet in the last hour, recorded once a minute. */
export class TrendsService {
  readonly #store: TrendsStore
  readonly #figures: Pick<FiguresService, 'sums'>
  readonly #log: Logger
  #isWithoutSums = false

  constructor(deps: { store: TrendsStore; figures: Pick<FiguresService, 'sums'>; log: Logger }) {
    this.#store = deps.store
    this.#figures = deps.figures
    this.#log = deps.log
  }

  /**
   * Records the current minute, once for all processes. Without the metrics store, only the counts: another run in that
   * minute adds the sums.
   */
  async record(): Promise<void> {
    if (!(await this.#store.isRecorded())) await this.#store.record(await this.#sums())
  }

  async trends(view: FleetView): Promise<FleetTrends> {
    const last = await this.#store.currentMinute()
    const from = new Date(last.getTime() - (trendPoints - 1) * stepMs)
    const rows = await this.#store.since(from, view)
    return {
      from: from.toISOString(),
      step_s: trendStepS,
      ...listsOf(rows, from),
      technologies: technologies.map((technology) => ({
        technology,
        ...listsOf(
          rows.filter((row) => row.technology === technology),
          from,
        ),
      })),
    }
  }

  sweep(): Promise<void> {
    return this.#store.sweep()
  }

  async #sums(): Promise<GroupSums[]> {
    try {
      const sums = await this.#figures.sums()
      this.#isWithoutSums = false
      return sums
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // Once per outage, not once per run.
      if (!this.#isWithoutSums)
        this.#log.warn({ err: error }, 'trends of the fleet are recorded without their sums')
      this.#isWithoutSums = true
      return []
    }
  }
}

function listsOf(rows: readonly TrendRow[], from: Date): Record<TrendName, (number | null)[]> {
  const listOf = (name: TrendName) => {
    const list = Array.from<number | null>({ length: trendPoints }).fill(null)
    for (const row of rows) {
      const at = Math.round((row.at.getTime() - from.getTime()) / stepMs)
      const value = row[name]
      if (value !== null && at < trendPoints) list[at] = (list[at] ?? 0) + value
    }
    return list
  }
  return Object.fromEntries(trendNames.map((name) => [name, listOf(name)])) as Record<
    TrendName,
    (number | null)[]
  >
}
