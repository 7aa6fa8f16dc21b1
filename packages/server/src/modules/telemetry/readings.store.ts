import { LRUCache } from 'lru-cache'
import { type Span, selector, type VictoriaReads } from '../../engines/victoria.reads.ts'
import {
  countOf,
  PointWriter,
  type RawSeries,
  readExport,
  type SeriesText,
  writePoint,
} from './readings.text.ts'

/** More than a chart can show. */
const mostPoints = 2000
/** In a reply; where there are more series than this has room for, each gets fewer points. */
const mostPointsInAll = 200_000
const mostSeries = 1000
/** Of raw points: room for ordinary numbers. What does not fit is counted first. */
const mostRawBytes = mostPointsInAll * 40
/** The store refuses queries of more than 16 KiB. */
const longestQuery = 15_000
const rememberTooMuchMs = 10_000

/** Which series: all of an agent, or some by their names. */
export interface Subject {
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

/** The time series of agents: a metric's name and the label `ap_id` make one. */
export class ReadingsStore {
  readonly #victoria: VictoriaReads
  /** A chart over hours asks every second too: what was too much a moment ago is not read raw again. */
  readonly #tooMuch = new LRUCache<string, number>({ max: 1000, ttl: rememberTooMuchMs })

  constructor(victoria: VictoriaReads) {
    this.#victoria = victoria
  }

  /** In the order of their names: raw points or, of series that have more than a chart can show, averages. */
  async series(subject: Subject, span: Span): Promise<SeriesText[]> {
    const { apId, names = [] } = subject
    const question = `${apId} ${span.toMs - span.fromMs} ${names.join(',')}`
    const wasRoom = this.#tooMuch.get(question)
    if (wasRoom !== undefined) return inOrder(await this.#averages(subject, span, wasRoom))
    const text = await this.#victoria.export(selectorsOf(subject), span, mostRawBytes)
    const parts = text === undefined ? await this.#partition(subject, span) : partition(readExport(text))
    const { few, tooMany, room } = parts
    const averages = tooMany.length > 0 ? await this.#averages({ apId, names: tooMany }, span, room) : []
    if (few.length === 0 && tooMany.length > 0) this.#tooMuch.set(question, room)
    const writer = new PointWriter()
    return inOrder([...few.map((series) => writer.write(series)), ...averages])
  }

  /** The names of series that have a point within the span, in order. */
  async names(apId: string, span: Span): Promise<string[]> {
    return [...(await this.#counts({ apId }, span)).keys()].sort().slice(0, mostSeries)
  }

  /** All points of an agent, ordered by time; undefined if they are more than `maxBytes` in the store's export format. */
  async points(apId: string, span: Span, maxBytes: number): Promise<Point[] | undefined> {
    const text = await this.#victoria.export([selector({ ap_id: apId })], span, maxBytes)
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

  /** As `partition`, where there is too much to be read. */
  async #partition(subject: Subject, span: Span): Promise<Parts> {
    const counts = [...(await this.#counts(subject, span))].sort(byName).slice(0, mostSeries)
    const room = roomFor(counts.length)
    const tooMany = counts.filter(([, count]) => count > room).map(([name]) => name)
    const names = counts.filter(([, count]) => count <= room).map(([name]) => name)
    const few = names.length > 0 && (await this.#victoria.export(selectorsOf({ ...subject, names }), span))
    return { few: readExport(few || ''), tooMany, room }
  }

  async #counts(subject: Subject, { fromMs, toMs }: Span): Promise<Map<string, number>> {
    const expression = over(subject, 'count_over_time', toMs - fromMs)
    const found = await this.#victoria.queryAt(expression, toMs)
    const counts = found.map(({ metric, value }) => [metric['__name__'] ?? '', Number(value?.[1])] as const)
    const { names } = subject
    return new Map(names ? counts.filter(([name]) => names.includes(name)) : counts)
  }

  /** Averages over steps of the clock, each at the beginning of its step: a later answer has the same steps. */
  async #averages(subject: Subject, { fromMs, toMs }: Span, room: number): Promise<SeriesText[]> {
    const stepMs = Math.ceil((toMs - fromMs) / (room - 1))
    // A value covers the step that ends with its moment: asked 1 ms before the next, [begin, begin + step).
    const toEndMs = stepMs - 1
    const span = {
      fromMs: Math.ceil(fromMs / stepMs) * stepMs + toEndMs,
      toMs: Math.floor(toMs / stepMs) * stepMs + toEndMs,
    }
    const found = await this.#victoria.queryRange(over(subject, 'avg_over_time', stepMs), span, stepMs)
    const series = found.map(({ metric, values = [] }) => {
      const points = values
        .filter(([, value]) => Number.isFinite(Number(value)))
        .map(([seconds, value]) => writePoint(Math.round(seconds * 1000) - toEndMs, Number(value)))
      return { metric: metric['__name__'] ?? '', points: `[${points.join(',')}]` }
    })
    return series.filter(({ metric }) => subject.names?.includes(metric) ?? true)
  }
}

interface Parts {
  few: RawSeries[]
  tooMany: string[]
  /** Points that each series may have. */
  room: number
}

function partition(series: RawSeries[]): Parts {
  const room = roomFor(series.length)
  const tooMany = series.filter((each) => countOf(each) > room).map(({ metric }) => metric)
  return { few: series.filter(({ metric }) => !tooMany.includes(metric)), tooMany, room }
}

function roomFor(series: number): number {
  return Math.min(mostPoints, Math.floor(mostPointsInAll / Math.min(Math.max(series, 1), mostSeries)))
}

const selectorsOf = ({ apId, names }: Subject): string[] =>
  names ? names.map((name) => selector({ __name__: name, ap_id: apId })) : [selector({ ap_id: apId })]

/** One expression for all of them. Too many names for a query are asked for as all that there are. */
function over(subject: Subject, rollup: string, windowMs: number): string {
  const rolledUp = selectorsOf(subject).map((each) => `${rollup}(${each}[${windowMs}ms]) keep_metric_names`)
  const expression = rolledUp.length === 1 ? (rolledUp[0] ?? '') : `union(${rolledUp.join(',')})`
  if (Buffer.byteLength(expression) <= longestQuery) return expression
  return over({ apId: subject.apId }, rollup, windowMs)
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

const inOrder = (series: SeriesText[]): SeriesText[] =>
  series.sort((a, b) => (a.metric < b.metric ? -1 : 1)).slice(0, mostSeries)
