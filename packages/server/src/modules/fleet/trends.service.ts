import {
  type FleetTrends,
  type TrendName,
  technologies,
  trendNames,
  trendPoints,
  trendStepS,
} from '@manc/contract'
import type { FiguresService } from './figures.service.ts'
import type { FleetView } from './fleet-list.store.ts'
import type { TrendRow, TrendsStore } from './trends.store.ts'

const stepMs = trendStepS * 1000

/** Counts and sums of the fleet in the last hour, recorded once a minute. */
export class TrendsService {
  readonly #store: TrendsStore
  readonly #figures: Pick<FiguresService, 'sums'>

  constructor(deps: { store: TrendsStore; figures: Pick<FiguresService, 'sums'> }) {
    this.#store = deps.store
    this.#figures = deps.figures
  }

  /** Records the current minute, once for all processes. Without the metrics store, only the counts. */
  async record(): Promise<void> {
    if (await this.#store.isRecorded()) return
    await this.#store.record(await this.#figures.sums().catch(() => []))
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
