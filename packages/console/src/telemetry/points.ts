/** One metric over time: `at` in milliseconds, in order. */
export interface Points {
  at: number[]
  values: number[]
}

/** As operation 28 gives them. */
interface Series {
  metric: string
  points: { ts: string; value: number }[]
}

const noPoints: Points = { at: [], values: [] }

/** The last while of one access point. Holds what is within the window, and no more. */
export class LiveWindow {
  readonly spanS: number
  /** When it was read last: in part, and as a whole. */
  readAtMs = 0
  fullReadAtMs = 0
  readonly #series = new Map<string, Points>()

  constructor(spanS: number) {
    this.spanS = spanS
  }

  /** Everything anew. */
  replace(series: readonly Series[], nowMs: number): void {
    this.#series.clear()
    for (const { metric, points } of series) this.#series.set(metric, pointsOf(points))
    this.fullReadAtMs = this.readAtMs = nowMs
  }

  /** The newest part anew: what it begins with and all after it. Then what has grown too old goes. */
  extend(series: readonly Series[], nowMs: number): void {
    for (const { metric, points } of series) {
      const known = this.#series.get(metric)
      if (!known) continue
      const tail = pointsOf(points)
      const [first] = tail.at
      if (first === undefined) continue
      const start = indexAt(known.at, first)
      known.at.length = known.values.length = start
      for (const at of tail.at) known.at.push(at)
      for (const value of tail.values) known.values.push(value)
      // By the points' own clock: ours may differ.
      const old = indexAt(known.at, (known.at.at(-1) ?? 0) - this.spanS * 1000)
      known.at.splice(0, old)
      known.values.splice(0, old)
    }
    this.readAtMs = nowMs
  }

  has(metrics: readonly string[]): boolean {
    return metrics.every((metric) => this.#series.has(metric))
  }

  /** By the points' own clock; undefined where there is none. */
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

/** The first that is not before this moment. */
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

/** The value nearest to a moment; undefined where there is none near it. */
export function valueNear({ at, values }: Points, ms: number, withinMs: number): number | undefined {
  const after = indexAt(at, ms)
  const distance = (index: number) => Math.abs((at[index] ?? Infinity) - ms)
  const index = distance(after - 1) <= distance(after) ? after - 1 : after
  return distance(index) <= withinMs ? values[index] : undefined
}

/** What is between two moments, and one on each side: lines go on to the edge. */
export function sliceOf({ at, values }: Points, fromMs: number, toMs: number): Points {
  const start = Math.max(0, indexAt(at, fromMs) - 1)
  const end = indexAt(at, toMs + 1) + 1
  return { at: at.slice(start, end), values: values.slice(start, end) }
}

/** Every line reaches both ends of its steps: the lowest and the highest of each is kept, so that no peak is lost. */
export function downsampled(points: Points, most: number): Points {
  const { at, values } = points
  if (at.length <= most) return points
  const thin: Points = { at: [], values: [] }
  const step = Math.ceil(at.length / (most / 2))
  for (let start = 0; start < at.length; start += step) {
    let low = start
    let high = start
    for (let n = start; n < Math.min(start + step, at.length); n++) {
      if ((values[n] ?? 0) < (values[low] ?? 0)) low = n
      if ((values[n] ?? 0) > (values[high] ?? 0)) high = n
    }
    for (const n of low === high ? [low] : [Math.min(low, high), Math.max(low, high)]) {
      thin.at.push(at[n] ?? 0)
      thin.values.push(values[n] ?? 0)
    }
  }
  return thin
}

interface Extent {
  latest: number
  lowest: number
  highest: number
}

/** Of what is between two moments; undefined where nothing is. */
export function extentOf({ at, values }: Points, fromMs: number, toMs: number): Extent | undefined {
  const start = indexAt(at, fromMs)
  const end = indexAt(at, toMs + 1)
  if (start >= end) return undefined
  let lowest = Infinity
  let highest = -Infinity
  for (let n = start; n < end; n++) {
    lowest = Math.min(lowest, values[n] ?? lowest)
    highest = Math.max(highest, values[n] ?? highest)
  }
  return { latest: values[end - 1] ?? lowest, lowest, highest }
}
