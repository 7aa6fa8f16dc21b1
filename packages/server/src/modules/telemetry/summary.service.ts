import type { EmulatedChoice, Technology, TelemetrySummary } from '@manc/contract'
import { LRUCache } from 'lru-cache'
import { type Caller, idOf } from '../../access.ts'
import { viewOf } from '../../agent-views.ts'
import { RefusedByStore } from '../../engines/victoria.http.ts'
import type { Span } from '../../engines/victoria.reads.ts'
import { disconnected, invalid } from '../../errors.ts'
import type { FleetFilter, FleetSample } from '../fleet/index.ts'
import type { QuerySlots } from '../prometheus/index.ts'
import { periodOf } from './period.rules.ts'
import { SharedReads } from './shared-reads.cache.ts'
import { affordable, maxSamples, maxSamplesOfUsers, maxSteps, spreadOf, stepFor } from './summary.rules.ts'
import type { SummaryStore } from './summary.store.ts'

/** Of one summary. Of more agents, so many are chosen evenly. */
const maxAgents = 10_000
/** Pages repeat a summary every few seconds: the agents of a technology change less often. */
const rememberAgentsMs = 30_000
const maxRemembered = 100
/** Queries of one standard user at a time. */
const maxSlotsOfUsers = 1

interface SummaryQuery {
  technology?: Technology
  agent?: string[]
  metrics: readonly string[]
  from: Date
  to?: Date
  step?: number
  emulated?: EmulatedChoice
}

type Series = TelemetrySummary['series'][number]

interface SeriesRead {
  metric: string
  apIds: readonly string[]
  span: Span
  stepS: number
  /** Waits for a query slot. */
  slot: () => Promise<() => void>
  /** Aborts when no caller waits for the result. */
  signal: AbortSignal
}

interface Fleet {
  sample(filter: FleetFilter, limit: number): Promise<FleetSample>
}

/** Medians and spreads over many agents, as JSON text. */
export class SummaryService {
  readonly #store: SummaryStore
  readonly #fleet: Fleet
  readonly #slots: QuerySlots
  readonly #retentionMs: number
  readonly #shared: SharedReads
  readonly #agents = new LRUCache<string, FleetSample>({ max: maxRemembered, ttl: rememberAgentsMs })

  constructor(deps: {
    store: SummaryStore
    fleet: Fleet
    slots: QuerySlots
    retentionMs: number
    countLookup: (isHit: boolean) => void
  }) {
    this.#store = deps.store
    this.#fleet = deps.fleet
    this.#slots = deps.slots
    this.#retentionMs = deps.retentionMs
    this.#shared = new SharedReads({
      maxEntries: 200,
      maxBytes: 16 * 1024 * 1024,
      countLookup: deps.countLookup,
      isJoinedLate: true,
    })
  }

  /** `signal` aborts when the caller has disconnected. */
  async summary(query: SummaryQuery, caller: Caller, signal: AbortSignal): Promise<string> {
    if ((query.technology === undefined) === (query.agent === undefined))
      throw wrong('technology', 'either technology or agent should be given')
    const span = periodOf(query.from, query.to, this.#retentionMs)
    const periodS = (span.toMs - span.fromMs) / 1000
    const { total, agents } = await this.#agentsOf(query, caller)
    const stepS = query.step ?? stepFor(periodS, agents)
    if (periodS / stepS > maxSteps)
      throw wrong('step', `The period has more than ${maxSteps} steps. Use a longer step or a shorter period`)
    const isStandard = caller.kind === 'user' && caller.rank === 'user'
    const read = affordable(agents, periodS, isStandard ? maxSamplesOfUsers : maxSamples)
    if (!read) throw wrong('from', 'The period has too many samples. Use a shorter period')
    const metrics = [...new Set(query.metrics)]
    const apIds = read.map(({ apId }) => apId)
    const key = JSON.stringify([viewKey(query, caller), apIds.length, metrics, span, stepS])
    const compute = async (unread: AbortSignal): Promise<string> => {
      const series: Series[] = []
      for (const metric of metrics) {
        // For each metric: a summary of many must not keep others from the few queries that the store evaluates at a time.
        const slot = () =>
          this.#slots.take(`${caller.kind} ${idOf(caller)}`, unread, isStandard ? maxSlotsOfUsers : undefined)
        series.push(await this.#seriesOf({ metric, apIds, span, stepS, slot, signal: unread }))
      }
      return JSON.stringify({
        from: new Date(span.fromMs).toISOString(),
        to: new Date(span.toMs).toISOString(),
        step_s: stepS,
        agents: total,
        read: apIds.length,
        series,
      } satisfies TelemetrySummary)
    }
    return this.#shared.read(key, compute, signal)
  }

  async #seriesOf({ metric, apIds, span, stepS, slot, signal }: SeriesRead): Promise<Series> {
    if (apIds.length === 0) return { metric, points: [], spread: null }
    const free = await slot()
    try {
      const points = await this.#store.quantiles(metric, apIds, span, stepS * 1000, signal)
      const means = points.length > 0 ? await this.#store.means(metric, apIds, span, signal) : []
      return {
        metric,
        points: points.map(({ atMs, ...values }) => ({ ts: new Date(atMs).toISOString(), ...values })),
        spread: spreadOf(means) ?? null,
      }
    } catch (error) {
      if (signal.aborted) throw disconnected()
      if (!(error instanceof RefusedByStore)) throw error
      throw wrong('from', 'The metrics store cannot read so many samples. Use a shorter period')
    } finally {
      free()
    }
  }

  async #agentsOf(query: SummaryQuery, caller: Caller): Promise<FleetSample> {
    const key = viewKey(query, caller)
    const known = this.#agents.get(key)
    if (known) return known
    const { technology, agent, emulated = 'own' } = query
    const found = await this.#fleet.sample(
      {
        view: viewOf(caller, agent ? 'all' : emulated),
        ...(technology && { technologies: [technology] }),
        ...(agent && { ids: agent }),
      },
      maxAgents,
    )
    this.#agents.set(key, found)
    return found
  }
}

/** Which agents a caller asks for, and may see. */
const viewKey = ({ technology, agent, emulated = 'own' }: SummaryQuery, caller: Caller): string =>
  JSON.stringify([
    technology ?? null,
    agent ? [...new Set(agent)].sort() : null,
    emulated,
    caller.kind,
    emulated === 'own' || caller.kind !== 'user' ? idOf(caller) : null,
    caller.kind === 'third_party_app' ? caller.agents : null,
  ])

const wrong = (name: string, msg: string) =>
  invalid([{ loc: ['query', name], msg: `Value error, ${msg}`, type: 'value_error' }])
