import { apIdPattern, measurementOf } from '@manc/contract'
import type { Caller } from '../../access.ts'
import type { Span } from '../../engines/victoria.reads.ts'
import { invalid, notFound } from '../../errors.ts'
import { labelOf } from './metric-labels.format.ts'
import type { SeriesText } from './readings.format.ts'
import type { ReadingsStore } from './readings.store.ts'
import { SharedReads } from './shared-reads.cache.ts'

const isApId = new RegExp(apIdPattern)
const maxNames = 256
/** For agents whose clocks are ahead of ours. */
const aheadMs = 60_000

interface Agents {
  /** Undefined if there is no such agent. */
  createdAt(apId: string): Promise<Date | undefined>
}

export interface ReadingsQuery {
  apId: string
  windowS: number
  caller: Caller
}

/** Recent values of agents' metrics, as JSON text. */
export class ReadingsService {
  readonly #store: ReadingsStore
  readonly #agents: Agents
  readonly #shared: SharedReads
  /** Separate: a period may be long, and would take the place of many windows. */
  readonly #periods: SharedReads

  constructor(deps: {
    store: ReadingsStore
    agents: Agents
    countLookup: (isHit: boolean) => void
    countPeriodLookup: (isHit: boolean) => void
  }) {
    this.#store = deps.store
    this.#agents = deps.agents
    this.#shared = new SharedReads({
      maxEntries: 2000,
      maxBytes: 32 * 1024 * 1024,
      countLookup: deps.countLookup,
    })
    this.#periods = new SharedReads({
      maxEntries: 200,
      maxBytes: 16 * 1024 * 1024,
      countLookup: deps.countPeriodLookup,
      isJoinedLate: true,
    })
  }

  /** All metrics of an agent. */
  all(query: ReadingsQuery): Promise<string> {
    return this.#share(query, 'all', async (span) => {
      const series = await this.#store.series({ apId: query.apId }, span)
      const text = series.map(toJson).join(',')
      const key = JSON.stringify(measurementOf(query.apId))
      return { isEmpty: series.length === 0, text: `{"key":${key},${headOf(query)},"series":[${text}]}` }
    })
  }

  /** Chosen metrics of an agent, in the order of the request. */
  async chosen(query: ReadingsQuery, requested: readonly string[]): Promise<string> {
    const names = namesIn(requested)
    return this.#share(query, `series ${names.join(',')}`, async (span) => {
      const series = names.length > 0 ? await this.#store.series({ apId: query.apId, names }, span) : []
      const found = new Map(series.map((each) => [each.metric, each]))
      const text = names.map((metric) => toJson(found.get(metric) ?? { metric, points: '[]' })).join(',')
      return { isEmpty: series.length === 0, text: `{${headOf(query)},"series":[${text}]}` }
    })
  }

  /** Chosen metrics of an agent in a period, in the order of the request. */
  async period(
    apId: string,
    { fromMs, toMs }: Span,
    metrics: readonly string[],
    caller: Caller,
  ): Promise<string> {
    const sinceMs = await this.#startOfVisible(apId, caller)
    const names = [...new Set(metrics)]
    const key = `${apId} ${fromMs} ${toMs} since ${sinceMs} period ${names.join(',')}`
    return this.#periods.read(key, async () => {
      const span = { fromMs: Math.max(fromMs, sinceMs), toMs }
      const series = span.fromMs < toMs ? await this.#store.series({ apId, names }, span) : []
      if (series.length === 0) await this.#requireKnown(apId)
      const found = new Map(series.map((each) => [each.metric, each]))
      const text = names.map((metric) => toJson(found.get(metric) ?? { metric, points: '[]' })).join(',')
      const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
      return `{"agent_id":${JSON.stringify(apId)},"from":"${from}","to":"${to}","series":[${text}]}`
    })
  }

  /** The names of an agent's metrics, with labels for people. */
  names(query: ReadingsQuery): Promise<string> {
    return this.#share(query, 'names', async (span) => {
      const names = await this.#store.names(query.apId, span)
      const metrics = JSON.stringify(names.map((name) => ({ name, label: labelOf(name) })))
      return { isEmpty: names.length === 0, text: `{${headOf(query)},"metrics":${metrics}}` }
    })
  }

  /** The start of what the caller may read. Throws `not found` if there is neither the agent nor any history of it. */
  async readableSince(apId: string, caller: Caller): Promise<number> {
    const sinceMs = await this.#startOfVisible(apId, caller)
    await this.#requireKnown(apId)
    return sinceMs
  }

  /** Throws `not found` where `readableSince` does. */
  async requireReadable(apIds: readonly string[], caller: Caller): Promise<void> {
    if (!apIds.every((apId) => isApId.test(apId))) throw notFound('Agent')
    // Sent as one query.
    const createdAt = await Promise.all(apIds.map((apId) => this.#agents.createdAt(apId)))
    const missing = apIds.filter((_, n) => createdAt[n] === undefined)
    for (const apId of missing)
      if (caller.kind === 'agent' || !(await this.#store.hasHistory(apId))) throw notFound('Agent')
  }

  async #share(
    { apId, windowS, caller }: ReadingsQuery,
    what: string,
    read: (span: { fromMs: number; toMs: number }) => Promise<{ isEmpty: boolean; text: string }>,
  ): Promise<string> {
    const sinceMs = await this.#startOfVisible(apId, caller)
    const nowMs = Date.now()
    const windowFromMs = nowMs - windowS * 1000
    const fromMs = Math.max(windowFromMs, sinceMs)
    const scope = fromMs === windowFromMs ? 'all' : `since ${sinceMs}`
    return this.#shared.read(`${apId} ${windowS} ${scope} ${what}`, async () => {
      const { isEmpty, text } = await read({ fromMs, toMs: nowMs + aheadMs })
      if (isEmpty) await this.#requireKnown(apId)
      return text
    })
  }

  /** Ids are reused: an agent and applications must not see the data of an earlier agent with the same id. */
  async #startOfVisible(apId: string, caller: Caller): Promise<number> {
    if (!isApId.test(apId)) throw notFound('Agent')
    if (caller.kind === 'user') return 0
    const createdAt = await this.#agents.createdAt(apId)
    if (!createdAt && caller.kind === 'agent') throw notFound('Agent')
    return createdAt?.getTime() ?? 0
  }

  async #requireKnown(apId: string): Promise<void> {
    if (await this.#agents.createdAt(apId)) return
    if (!(await this.#store.hasHistory(apId))) throw notFound('Agent')
  }
}

/** Repeated or comma-separated; each name once. */
function namesIn(requested: readonly string[]): string[] {
  const parts = requested.flatMap((text) => text.split(',')).map((part) => part.trim())
  const names = [...new Set(parts)].filter((name) => name !== '')
  if (names.length <= maxNames) return names
  const msg = `List should have at most ${maxNames} items after validation, not ${names.length}`
  throw invalid([{ loc: ['query', 'metrics'], msg, type: 'too_long' }])
}

const headOf = ({ apId, windowS }: ReadingsQuery): string =>
  `"agent_id":${JSON.stringify(apId)},"window_minutes":${Math.ceil(windowS / 60)}`

const toJson = ({ metric, points }: SeriesText): string =>
  `{"metric":${JSON.stringify(metric)},"points":${points}}`
