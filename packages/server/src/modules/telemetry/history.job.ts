import type { Caller } from '../../access.ts'
import { maxAheadMs } from '../../clocks.ts'
import { invalid } from '../../errors.ts'
import { type Chunk, type JobHandler, type JobService, jobTitles, maxChunkBytes } from '../jobs/index.ts'
import { isoTime } from './readings.format.ts'
import type { ReadingsService } from './readings.service.ts'
import type { Point, ReadingsStore } from './readings.store.ts'

interface HistoryRequest {
  apId: string
  start: Date
  end: Date
  caller: Caller
  key: string | undefined
}

/** In characters, without the brackets of the array. */
const maxChunkLength = maxChunkBytes - 2
/** A span with more is read in smaller ones … */
const maxBytesPerRead = 4 * 1024 * 1024
/** … and after one with fewer points the next span is larger. */
const fewPoints = 10_000
const firstSpanMs = 600_000

/** The data of an agent in a period, as a job. */
export class HistoryJob implements JobHandler {
  readonly kind = 'agent_data'
  readonly callback = 'agent_data'
  readonly #jobs: JobService
  readonly #readings: ReadingsService
  readonly #store: ReadingsStore
  readonly #retentionMs: number

  constructor(deps: {
    jobs: JobService
    readings: ReadingsService
    store: ReadingsStore
    retentionMs: number
  }) {
    this.#jobs = deps.jobs
    this.#readings = deps.readings
    this.#store = deps.store
    this.#retentionMs = deps.retentionMs
  }

  async request({ apId, start, end, caller, key }: HistoryRequest): Promise<string> {
    if (end < start)
      throw invalid([
        {
          loc: ['query', 'end_time'],
          msg: 'Value error, end_time should not be before start_time',
          type: 'value_error',
        },
      ])
    const sinceMs = await this.#readings.readableSince(apId, caller)
    const request = { agent_id: apId, from_ms: Math.max(start.getTime(), sinceMs), to_ms: end.getTime() }
    return this.#jobs.create({ kind: this.kind, title: jobTitles.data(apId), request, caller, key })
  }

  /** The cursor is the first millisecond that has not been delivered: points of one millisecond are never split. */
  async *chunks(request: Record<string, unknown>, cursor: string | undefined): AsyncGenerator<Chunk> {
    const now = Date.now()
    const toMs = Math.min(Number(request['to_ms']), now + maxAheadMs)
    let fromMs = Math.max(Number(cursor ?? request['from_ms']), now - this.#retentionMs)
    let spanMs = firstSpanMs
    let items = ''
    while (fromMs <= toMs) {
      const untilMs = Math.min(fromMs + spanMs - 1, toMs)
      // A millisecond cannot be split further: it is read whatever its size.
      const max = fromMs === untilMs ? Infinity : maxBytesPerRead
      const span = { fromMs, toMs: untilMs }
      const points = await this.#store.points(String(request['agent_id']), span, max)
      if (!points) {
        spanMs = Math.max(1, Math.floor(spanMs / 4))
        continue
      }
      for (let n = 0; n < points.length; n++) {
        const point = points[n] as Point
        const text = textOf(point)
        if (
          items.length + text.length > maxChunkLength &&
          point.tsMs !== points[n - 1]?.tsMs &&
          items !== ''
        ) {
          yield { items: `[${items}]`, cursor: String(point.tsMs), isLast: false }
          items = ''
        }
        items += items === '' ? text : `,${text}`
      }
      if (points.length < fewPoints) spanMs *= 4
      fromMs = untilMs + 1
    }
    yield { items: `[${items}]`, cursor: String(toMs + 1), isLast: true }
  }
}

const textOf = ({ tsMs, metric, value }: Point): string =>
  `{"time":"${isoTime(tsMs)}","field":${JSON.stringify(metric)},"value":${String(value)}}`
