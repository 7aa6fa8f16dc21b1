import { type Caller, idOf } from '../../access.ts'
import { type Span, selector, type VictoriaReads } from '../../engines/victoria.reads.ts'
import { invalid } from '../../errors.ts'
import type { Chunk, JobHandler, JobService } from '../jobs/index.ts'
import type { ReadingsService } from './readings.service.ts'

interface Wish {
  apId: string
  start: Date
  end: Date
  caller: Caller
  key: string | undefined
}

/** Of a chunk, as text. */
const chunkLength = 256 * 1024 - 2
/** Of what is read at once. */
const mostBytes = 4 * 1024 * 1024
const firstSpanMs = 600_000
const aheadMs = 3_600_000

/** An agent's data of any period, as a job. */
export class History implements JobHandler {
  readonly kind = 'agent_data'
  readonly isPublished = true
  readonly callback = 'agent_data'
  readonly #jobs: JobService
  readonly #readings: ReadingsService
  readonly #victoria: VictoriaReads
  readonly #retentionMs: number

  constructor(parts: {
    jobs: JobService
    readings: ReadingsService
    victoria: VictoriaReads
    retentionMs: number
  }) {
    this.#jobs = parts.jobs
    this.#readings = parts.readings
    this.#victoria = parts.victoria
    this.#retentionMs = parts.retentionMs
  }

  async request({ apId, start, end, caller, key }: Wish): Promise<string> {
    if (end < start)
      throw invalid([
        {
          loc: ['query', 'end_time'],
          msg: 'Value error, end_time should not be before start_time',
          type: 'value_error',
        },
      ])
    const sinceMs = await this.#readings.mustBeReadable(apId, caller)
    const request = { agent_id: apId, from_ms: Math.max(start.getTime(), sinceMs), to_ms: end.getTime() }
    return this.#jobs.create({ kind: this.kind, request, owner: idOf(caller), key })
  }

  /** The cursor is the first millisecond that has not been delivered: no chunk ends within one. */
  async *chunks(request: Record<string, unknown>, cursor: string | undefined): AsyncGenerator<Chunk> {
    const now = Date.now()
    const toMs = Math.min(Number(request['to_ms']), now + aheadMs)
    let fromMs = Math.max(Number(cursor ?? request['from_ms']), now - this.#retentionMs)
    let spanMs = firstSpanMs
    let items = ''
    while (fromMs <= toMs) {
      const untilMs = Math.min(fromMs + spanMs - 1, toMs)
      const rows = await this.#read(String(request['agent_id']), { fromMs, toMs: untilMs })
      if (!rows) {
        spanMs = Math.max(1, Math.floor(spanMs / 4))
        continue
      }
      for (let n = 0; n < rows.length; n++) {
        const { ts, text } = rows[n] as Row
        if (items.length + text.length > chunkLength && ts !== rows[n - 1]?.ts && items !== '') {
          yield { items: `[${items}]`, cursor: String(ts), isLast: false }
          items = ''
        }
        items += items === '' ? text : `,${text}`
      }
      if (rows.length < 10_000) spanMs *= 4
      fromMs = untilMs + 1
    }
    yield { items: `[${items}]`, cursor: String(toMs + 1), isLast: true }
  }

  /** In the order of time; undefined where there is too much. */
  async #read(apId: string, span: Span): Promise<Row[] | undefined> {
    const most = span.fromMs === span.toMs ? Infinity : mostBytes
    const text = await this.#victoria.export([selector({ ap_id: apId })], span, most)
    if (text === undefined) return undefined
    const rows: Row[] = []
    for (const line of text.split('\n')) {
      if (line === '') continue
      const { metric, values, timestamps } = JSON.parse(line) as Exported
      const field = JSON.stringify(metric['__name__'])
      for (let n = 0; n < timestamps.length; n++) {
        const ts = timestamps[n] ?? 0
        const time = new Date(ts).toISOString()
        rows.push({ ts, text: `{"time":"${time}","field":${field},"value":${String(values[n])}}` })
      }
    }
    return rows.sort((a, b) => a.ts - b.ts)
  }
}

interface Row {
  ts: number
  text: string
}

interface Exported {
  metric: Record<string, string>
  values: (number | null)[]
  timestamps: number[]
}
