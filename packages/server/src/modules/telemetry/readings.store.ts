import { LRUCache } from 'lru-cache'
import { type Span, selector, type VictoriaReads } from '../../engines/victoria.reads.ts'
import {
  countOf,
  PointWriter,
  type RawSeries,
  readExport,
  type SeriesText,
  writePoint,
} from './readings.format.ts'

/** Per series: more than a chart can show. */
const maxPoints = 2000
/** Per reply: many series have fewer points each. */
const maxTotalPoints = 200_000
const maxSeries = 1000
/** Of an export, enough for points with ordinary numbers. If there is more, the points are counted first. */
const maxRawBytes = maxTotalPoints * 40
/** The store rejects queries of more than 16 KiB. */
const maxQueryBytes = 15_000
const rememberTooManyMs = 10_000

/** All series of an agent, or some of them by name. */
export interface SeriesFilter {
  apId: string
  names?: readonly string[]
}

export interface Point {
  tsMs: number
  metric: string
  value: number | null
}

/** A line of the store's export. */
interface Exported {
  metric: Record<string, string>
  values: (number | null)[]
  timestamps: number[]
}

/** The time series of agents, identified by the metric name and the label `ap_id`. */
export class ReadingsStore {
  readonly #victoria: VictoriaReads
  /** Charts over hours poll every second: a query that had too many points lately is not tried raw again. */
  readonly #tooMany = new LRUCache<string, number>({ max: 1000, ttl: rememberTooManyMs })

  constructor(victoria: VictoriaReads) {
    this.#victoria = victoria
  }

  /** Ordered by name: raw points, or averages of series that have more points than a chart can show. */
  async series(filter: SeriesFilter, span: Span): Promise<SeriesText[]> {
    const { apId, names = [] } = filter
    const key = `${apId} ${span.toMs - span.fromMs} ${names.join(',')}`
    const knownLimit = this.#tooMany.get(key)
    if (knownLimit !== undefined) return inOrder(await this.#averages(filter, span, knownLimit))
    const text = await this.#victoria.export(selectorOf(filter), span, maxRawBytes)
    const parts = text === undefined ? await this.#partition(filter, span) : partition(readExport(text))
    const { few, tooMany, limit } = parts
    const averages = tooMany.length > 0 ? await this.#averages({ apId, names: tooMany }, span, limit) : []
    if (few.length === 0 && tooMany.length > 0) this.#tooMany.set(key, limit)
    const writer = new PointWriter()
    return inOrder([...few.map((series) => writer.write(series)), ...averages])
  }

  /** The sorted names of the series that have a point within the span. */
  async names(apId: string, span: Span): Promise<string[]> {
    return [...(await this.#counts({ apId }, span)).keys()].sort().slice(0, maxSeries)
  }

  /** All points of an agent, ordered by time; undefined if they are more than `maxBytes` in the store's export format. */
  async points(apId: string, span: Span, maxBytes: number): Promise<Point[] | undefined> {
    const text = await this.#victoria.export(selector({ ap_id: apId }), span, maxBytes)
    if (text === undefined) return undefined
    const points: Point[] = []
    for (const line of text.split('\n')) {
      if (line === '') continue
      const { metric, values, timestamps } = JSON.parse(line) as Exported
      for (let n = 0; n < timestamps.length; n++)
        points.push({ tsMs: timestamps[n] ?? 0, metric: metric['__name__'] ?? '', value: values[n] ?? null })
    }
    return points.sort((a, b) => a.tsMs - b.tsMs)
  }

  hasHistory(apId: string): Promise<boolean> {
    return this.#victoria.hasLabel('ap_id', apId)
  }

  /** The same as `partition`, by counting, if there is too much to be read. */
  async #partition(filter: SeriesFilter, span: Span): Promise<Partition> {
    const counts = [...(await this.#counts(filter, span))].sort(byName).slice(0, maxSeries)
    const limit = pointLimit(counts.length)
    const tooMany = counts.filter(([, count]) => count > limit).map(([name]) => name)
    const names = counts.filter(([, count]) => count <= limit).map(([name]) => name)
    const few = names.length > 0 && (await this.#victoria.export(selectorOf({ ...filter, names }), span))
    return { few: readExport(few || ''), tooMany, limit }
  }

  async #counts(filter: SeriesFilter, { fromMs, toMs }: Span): Promise<Map<string, number>> {
    const expression = over(filter, 'count_over_time', toMs - fromMs)
    const found = await this.#victoria.queryAt(expression, toMs)
    const counts = found.map(({ metric, value }) => [metric['__name__'] ?? '', Number(value?.[1])] as const)
    const { names } = filter
    return new Map(names ? counts.filter(([name]) => names.includes(name)) : counts)
  }

  /** Averages over steps that are aligned to the clock, each at the start of its step: later replies have the same steps. */
  async #averages(filter: SeriesFilter, { fromMs, toMs }: Span, limit: number): Promise<SeriesText[]> {
    const stepMs = Math.ceil((toMs - fromMs) / (limit - 1))
    // A value covers the step that ends at its time: queried 1 ms before the next step it is [start, start + step).
    const toEndMs = stepMs - 1
    const span = {
      fromMs: Math.ceil(fromMs / stepMs) * stepMs + toEndMs,
      toMs: Math.floor(toMs / stepMs) * stepMs + toEndMs,
    }
    const found = await this.#victoria.queryRange(over(filter, 'avg_over_time', stepMs), span, stepMs)
    const series = found.map(({ metric, values = [] }) => {
      const points = values
        .filter(([, value]) => Number.isFinite(Number(value)))
        .map(([seconds, value]) => writePoint(Math.round(seconds * 1000) - toEndMs, Number(value)))
      return { metric: metric['__name__'] ?? '', points: `[${points.join(',')}]` }
    })
    return series.filter(({ metric }) => filter.names?.includes(metric) ?? true)
  }
}

interface Partition {
  few: RawSeries[]
  tooMany: string[]
  /** Points per series. */
  limit: number
}

function partition(series: RawSeries[]): Partition {
  const limit = pointLimit(series.length)
  const tooMany = series.filter((each) => countOf(each) > limit).map(({ metric }) => metric)
  return { few: series.filter(({ metric }) => !tooMany.includes(metric)), tooMany, limit }
}

function pointLimit(series: number): number {
  return Math.min(maxPoints, Math.floor(maxTotalPoints / Math.min(Math.max(series, 1), maxSeries)))
}

/** One selector for all names: the store searches its index once for each selector. */
const selectorOf = ({ apId, names }: SeriesFilter): string =>
  selector(names ? { __name__: names, ap_id: apId } : { ap_id: apId })

/** If the names are too many for a query, it selects all series of the agent. */
function over(filter: SeriesFilter, rollup: string, windowMs: number): string {
  const expression = `${rollup}(${selectorOf(filter)}[${windowMs}ms]) keep_metric_names`
  if (Buffer.byteLength(expression) <= maxQueryBytes) return expression
  return over({ apId: filter.apId }, rollup, windowMs)
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

const inOrder = (series: SeriesText[]): SeriesText[] =>
  series.sort((a, b) => (a.metric < b.metric ? -1 : 1)).slice(0, maxSeries)
