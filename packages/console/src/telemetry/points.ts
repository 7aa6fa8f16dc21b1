/** One metric over time; `at` is in milliseconds and sorted. */
export interface Points {
  at: number[]
  values: number[]
}

/** As returned by operation 28. */
interface Series {
  metric: string
  points: { ts: string; value: number }[]
}

const noPoints: Points = { at: [], values: [] }

/** The live data of one access point, limited to a time window. */
export class LiveWindow {
  readonly spanS: number
  /** Times of the last read and of the last full read. */
  readAtMs = 0
  fullReadAtMs = 0
  readonly #series = new Map<string, Points>()

  constructor(spanS: number) {
    this.spanS = spanS
  }

  /** Replaces all points after a full read. */
  replace(series: readonly Series[], nowMs: number): void {
    this.#series.clear()
    for (const { metric, points } of series) this.#series.set(metric, pointsOf(points))
    this.fullReadAtMs = this.readAtMs = nowMs
  }

  /** Replaces the newest points after a partial read, and drops points older than the window. */
  extend(series: readonly Series[], nowMs: number): void {
    for (const { metric, points } of series) {
      const current = this.#series.get(metric)
      if (!current) continue
      const tail = pointsOf(points)
      const [first] = tail.at
      if (first === undefined) continue
      const start = indexAt(current.at, first)
      current.at.length = current.values.length = start
      for (const at of tail.at) current.at.push(at)
      for (const value of tail.values) current.values.push(value)
      // By the timestamps of the points, since the clock of the browser may differ.
      const expired = indexAt(current.at, (current.at.at(-1) ?? 0) - this.spanS * 1000)
      current.at.splice(0, expired)
      current.values.splice(0, expired)
    }
    this.readAtMs = nowMs
  }

  has(metrics: readonly string[]): boolean {
    return metrics.every((metric) => this.#series.has(metric))
  }

  /** The newest timestamp; undefined without points. */
  get newestMs(): number | undefined {
    const newest = Math.max(...[...this.#series.values()].map(({ at }) => at.at(-1) ?? -Infinity))
    return Number.isFinite(newest) ? newest : undefined
  }

  of(metric: string): Points {
    return this.#series.get(metric) ?? noPoints
  }
}

const pointsOf = (points: Series['points']): Points => ({
  at: points.map(({ ts }) => Date.parse(ts)),
  values: points.map(({ value }) => value),
})

/** Points of a response between two times. */
export const pointsIn = (points: Series['points'], fromMs: number, toMs: number): Points =>
  sliceOf(pointsOf(points), fromMs, toMs)

/** The index of the first time that is not before `ms`. */
export function indexAt(at: readonly number[], ms: number): number {
  let low = 0
  let high = at.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((at[middle] ?? 0) < ms) low = middle + 1
    else high = middle
  }
  return low
}

/** The value nearest to a time; undefined if there is none within `withinMs`. */
export function valueNear({ at, values }: Points, ms: number, withinMs: number): number | undefined {
  const after = indexAt(at, ms)
  const distance = (index: number) => Math.abs((at[index] ?? Infinity) - ms)
  const index = distance(after - 1) <= distance(after) ? after - 1 : after
  return distance(index) <= withinMs ? values[index] : undefined
}

/** The points between two times, and one more on each side, so that lines reach the edge. */
export function sliceOf({ at, values }: Points, fromMs: number, toMs: number): Points {
  const start = Math.max(0, indexAt(at, fromMs) - 1)
  const end = indexAt(at, toMs + 1) + 1
  return { at: at.slice(start, end), values: values.slice(start, end) }
}

export interface Statistics {
  latest: number
  lowest: number
  highest: number
  mean: number
  p10: number
  p90: number
  p95: number
}

/** Of the values between two times; undefined without points. */
export function statisticsOf({ at, values }: Points, fromMs: number, toMs: number): Statistics | undefined {
  const shown = values.slice(indexAt(at, fromMs), indexAt(at, toMs + 1))
  const latest = shown.at(-1)
  if (latest === undefined) return undefined
  return { latest, ...spreadOf(shown) }
}

/** Of at least one value. */
export function spreadOf(values: readonly number[]): Omit<Statistics, 'latest'> {
  const sorted = Float64Array.from(values).sort()
  return {
    lowest: quantile(sorted, 0),
    highest: quantile(sorted, 1),
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    p10: quantile(sorted, 0.1),
    p90: quantile(sorted, 0.9),
    p95: quantile(sorted, 0.95),
  }
}

/** Between two values it is interpolated. */
function quantile(sorted: Float64Array, part: number): number {
  const rank = part * (sorted.length - 1)
  const below = sorted[Math.floor(rank)] ?? Number.NaN
  const above = sorted[Math.ceil(rank)] ?? below
  return below + (above - below) * (rank - Math.floor(rank))
}
