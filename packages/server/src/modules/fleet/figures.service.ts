import { type FleetFigures, type Technology, technologies } from '@manc/contract'
import { fitsOneOf } from '../../globs.ts'
import { type FigureName, type FiguresStore, figureNames, type Values } from './figures.store.ts'
import type { VisibleIds } from './fleet-list.store.ts'

/** Agents that sent a sample within this time are counted. */
const recentMs = 30_000
/** For agents whose clocks are ahead of ours. */
const aheadMs = 60_000
/** How long a read is shared by all callers. */
const cacheMs = 5000
/** … and at least ten times as long as the read took: it costs the metrics store at most a tenth of its time. */
const cacheFactor = 10
const maxBusiest = 10

/** The technology of each registered agent. */
interface Fleet {
  technologies(): Promise<ReadonlyMap<string, Technology>>
}

interface Reading {
  asOf: string
  /** Cache expiry, monotonic; Infinity while loading. */
  expiresAtMs: number
  agents: Promise<Sender[]>
  /** Results already computed, by the agents that the caller may see. */
  answers: Map<string, Promise<FleetFigures>>
}

interface Sender {
  apId: string
  technology: Technology
  values: Values
}

/** Sums and means over the fleet, from one read of the metrics store that all callers share. */
export class FiguresService {
  readonly #store: FiguresStore
  readonly #fleet: Fleet
  #reading: Reading | undefined

  constructor(deps: { store: FiguresStore; fleet: Fleet }) {
    this.#store = deps.store
    this.#fleet = deps.fleet
  }

  figures(visible: VisibleIds): Promise<FleetFigures> {
    const reading = this.#current()
    const key = JSON.stringify(visible ?? null)
    const known = reading.answers.get(key)
    if (known) return known
    const answer = this.#answer(reading, visible)
    reading.answers.set(key, answer)
    return answer
  }

  #current(): Reading {
    const begunAtMs = performance.now()
    if (this.#reading && begunAtMs < this.#reading.expiresAtMs) return this.#reading
    const now = new Date()
    const reading: Reading = {
      asOf: now.toISOString(),
      expiresAtMs: Infinity,
      agents: this.#read(now.getTime()),
      answers: new Map(),
    }
    this.#reading = reading
    const drop = () => {
      if (this.#reading === reading) this.#reading = undefined
    }
    const done = () => {
      const tookMs = performance.now() - begunAtMs
      reading.expiresAtMs = begunAtMs + Math.max(cacheMs, cacheFactor * tookMs)
    }
    reading.agents.then(done, drop)
    return reading
  }

  /** Without agents that are no longer registered. */
  async #read(nowMs: number): Promise<Sender[]> {
    const span = { fromMs: nowMs - recentMs, toMs: nowMs + aheadMs }
    const [newest, ofAgent] = await Promise.all([this.#store.newest(span), this.#fleet.technologies()])
    const senders: Sender[] = []
    for (const [apId, values] of newest) {
      const technology = ofAgent.get(apId)
      if (technology) senders.push({ apId, technology, values })
    }
    return senders
  }

  async #answer({ agents, asOf }: Reading, visible: VisibleIds): Promise<FleetFigures> {
    const all = await agents
    const isVisible = visible && !visible.includes('*') ? fitsOneOf(visible) : () => true
    const senders = all.filter(({ apId }) => isVisible(apId))
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
