import { type FleetFigures, technologies } from '@manc/contract'
import { fitsOneOf } from '../../globs.ts'
import { type FigureName, type FiguresStore, figureNames, type Values } from './figures.store.ts'
import type { AgentKind, FleetView } from './fleet-list.store.ts'

/** Agents that sent a sample within this time are counted. */
const recentMs = 30_000
/** For agents whose clocks are ahead of ours. */
const aheadMs = 60_000
/** How long a read is shared by all callers. */
const cacheMs = 5000
/** … and at least ten times as long as the read took: it costs the metrics store at most a tenth of its time. */
const cacheFactor = 10
/** How long after that a caller gets the last figures at once, while the next ones are read. */
const maxStaleMs = 30_000
const maxBusiest = 10

interface Fleet {
  /** Of the registered ones among these agents. */
  kinds(apIds: readonly string[]): Promise<ReadonlyMap<string, AgentKind>>
}

interface Reading {
  asOf: string
  /** Cache expiry, monotonic. */
  expiresAtMs: number
  agents: Promise<Sender[]>
  /** Results already computed, by the agents that the caller sees. */
  answers: Map<string, Promise<FleetFigures>>
}

interface Sender extends AgentKind {
  apId: string
  values: Values
}

/** Sums and means over the fleet, from one read of the metrics store that all callers share. */
export class FiguresService {
  readonly #store: FiguresStore
  readonly #fleet: Fleet
  #reading: Reading | undefined
  /** Is being read, to replace the other one. */
  #next: Reading | undefined

  constructor(deps: { store: FiguresStore; fleet: Fleet }) {
    this.#store = deps.store
    this.#fleet = deps.fleet
  }

  async figures(view: FleetView): Promise<FleetFigures> {
    const reading = this.#current()
    const { patterns, emulated, owner } = view
    // Callers without emulated agents share a result.
    const hasOwn = emulated === 'own' && (await reading.agents).some(({ emulatedBy }) => emulatedBy === owner)
    const key = JSON.stringify([patterns ?? null, emulated, hasOwn && owner])
    const known = reading.answers.get(key)
    if (known) return known
    const answer = this.#answer(reading, view)
    reading.answers.set(key, answer)
    return answer
  }

  #current(): Reading {
    const nowMs = performance.now()
    const last = this.#reading
    if (last && nowMs < last.expiresAtMs) return last
    const next = (this.#next ??= this.#readNext(nowMs))
    return last && nowMs < last.expiresAtMs + maxStaleMs ? last : next
  }

  #readNext(begunAtMs: number): Reading {
    const now = new Date()
    const reading: Reading = {
      asOf: now.toISOString(),
      expiresAtMs: Infinity,
      agents: this.#read(now.getTime()),
      answers: new Map(),
    }
    const succeeded = () => {
      const tookMs = performance.now() - begunAtMs
      reading.expiresAtMs = begunAtMs + Math.max(cacheMs, cacheFactor * tookMs)
      this.#reading = reading
      this.#next = undefined
    }
    const failed = () => {
      this.#reading = undefined
      this.#next = undefined
    }
    reading.agents.then(succeeded, failed)
    return reading
  }

  /** Without agents that are no longer registered. */
  async #read(nowMs: number): Promise<Sender[]> {
    const span = { fromMs: nowMs - recentMs, toMs: nowMs + aheadMs }
    const newest = await this.#store.newest(span)
    const ofAgent = await this.#fleet.kinds([...newest.keys()])
    const senders: Sender[] = []
    for (const [apId, values] of newest) {
      const kind = ofAgent.get(apId)
      if (kind) senders.push({ apId, ...kind, values })
    }
    return senders
  }

  async #answer({ agents, asOf }: Reading, view: FleetView): Promise<FleetFigures> {
    const { patterns, emulated, owner } = view
    const all = await agents
    const fits = patterns && !patterns.includes('*') ? fitsOneOf(patterns) : () => true
    const senders = all.filter(
      ({ apId, emulatedBy }) =>
        fits(apId) &&
        (emulatedBy === null || emulated === 'all' || (emulated === 'own' && emulatedBy === owner)),
    )
    return {
      ...figuresOf(senders),
      technologies: technologies.map((technology) => ({
        technology,
        ...figuresOf(senders.filter((each) => each.technology === technology)),
      })),
      as_of: asOf,
    }
  }
}

function figuresOf(senders: readonly Sender[]) {
  const aggregate = (name: FigureName, how: 'sum' | 'mean'): number | null => {
    let sum = 0
    let count = 0
    for (const { values } of senders) {
      const value = valueOf(values, name)
      if (value === null) continue
      sum += value
      count += 1
    }
    if (count === 0) return null
    return how === 'sum' ? sum : sum / count
  }
  return {
    agents: senders.length,
    clients: aggregate('clients', 'sum'),
    throughput_mbps: aggregate('throughput_mbps', 'sum'),
    power_w: aggregate('power_w', 'sum'),
    load_pct: aggregate('load_pct', 'mean'),
    latency_ms: aggregate('latency_ms', 'mean'),
    signal_quality: aggregate('signal_quality', 'mean'),
    busiest: busiestOf(senders),
  }
}

function busiestOf(senders: readonly Sender[]): FleetFigures['busiest'] {
  return senders
    .map(({ apId, values }) => ({
      ap_id: apId,
      load_pct: valueOf(values, 'load_pct'),
      clients: valueOf(values, 'clients'),
    }))
    .filter((agent): agent is typeof agent & { load_pct: number } => agent.load_pct !== null)
    .sort((a, b) => b.load_pct - a.load_pct || (a.ap_id < b.ap_id ? -1 : 1))
    .slice(0, maxBusiest)
}

function valueOf(values: Values, name: FigureName): number | null {
  const value = values[figureNames.indexOf(name)] ?? Number.NaN
  return Number.isFinite(value) ? value : null
}
