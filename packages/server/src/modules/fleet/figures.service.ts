import { type FleetFigures, type Technology, technologies } from '@manc/contract'
import { fitsOneOf } from '../../globs.ts'
import { type FigureName, type FiguresStore, figureNames, type Values } from './figures.store.ts'

/** Who sent within this time counts. */
const countsForMs = 30_000
/** Agents whose clocks are a little ahead of ours. */
const aheadMs = 60_000
/** For everybody together, and only while somebody asks. */
const everyMs = 5000
/** Of the time, the store spends at most a tenth on this: the larger the fleet, the less often it is read. */
const restsTimes = 9
const mostBusiest = 10

/** Which technology each agent is of. */
interface Fleet {
  technologies(): Promise<ReadonlyMap<string, Technology>>
}

interface Reading {
  asOf: string
  /** Until then it is told, by a clock that nobody sets; at first, as long as it takes. */
  untilMs: number
  agents: Promise<Sender[]>
  /** What was made of it already, by who sees which agents. */
  answers: Map<string, Promise<FleetFigures>>
}

interface Sender {
  apId: string
  technology: Technology
  values: Values
}

/** What the fleet does as a whole, out of one read that everybody shares. */
export class FiguresService {
  readonly #store: FiguresStore
  readonly #fleet: Fleet
  #reading: Reading | undefined

  constructor(parts: { store: FiguresStore; fleet: Fleet }) {
    this.#store = parts.store
    this.#fleet = parts.fleet
  }

  /** Of the agents that fit one of these patterns; undefined: of all. */
  figures(seen: readonly string[] | undefined): Promise<FleetFigures> {
    const reading = this.#current()
    const key = JSON.stringify(seen ?? null)
    const known = reading.answers.get(key)
    if (known) return known
    const answer = this.#answer(reading, seen)
    reading.answers.set(key, answer)
    return answer
  }

  #current(): Reading {
    const begunAtMs = performance.now()
    if (this.#reading && begunAtMs < this.#reading.untilMs) return this.#reading
    const now = new Date()
    const reading: Reading = {
      asOf: now.toISOString(),
      untilMs: Infinity,
      agents: this.#read(now.getTime()),
      answers: new Map(),
    }
    this.#reading = reading
    const forget = () => {
      if (this.#reading === reading) this.#reading = undefined
    }
    const done = () => {
      const tookMs = performance.now() - begunAtMs
      reading.untilMs = begunAtMs + Math.max(everyMs, (1 + restsTimes) * tookMs)
    }
    reading.agents.then(done, forget)
    return reading
  }

  /** Who is not registered any more is left out. */
  async #read(nowMs: number): Promise<Sender[]> {
    const span = { fromMs: nowMs - countsForMs, toMs: nowMs + aheadMs }
    const [newest, ofAgent] = await Promise.all([this.#store.newest(span), this.#fleet.technologies()])
    const senders: Sender[] = []
    for (const [apId, values] of newest) {
      const technology = ofAgent.get(apId)
      if (technology) senders.push({ apId, technology, values })
    }
    return senders
  }

  async #answer({ agents, asOf }: Reading, seen: readonly string[] | undefined): Promise<FleetFigures> {
    const all = await agents
    const sees = seen && !seen.includes('*') ? fitsOneOf(seen) : () => true
    const those = all.filter(({ apId }) => sees(apId))
    return {
      ...figuresOf(those),
      technologies: technologies.map((technology) => ({
        technology,
        ...figuresOf(those.filter((each) => each.technology === technology)),
      })),
      as_of: asOf,
    }
  }
}

function figuresOf(senders: readonly Sender[]) {
  const figure = (name: FigureName, how: 'sum' | 'mean'): number | null => {
    let sum = 0
    let count = 0
    for (const { values } of senders) {
      const value = of(values, name)
      if (value === null) continue
      sum += value
      count += 1
    }
    if (count === 0) return null
    return how === 'sum' ? sum : sum / count
  }
  return {
    agents: senders.length,
    clients: figure('clients', 'sum'),
    throughput_mbps: figure('throughput_mbps', 'sum'),
    power_w: figure('power_w', 'sum'),
    load_pct: figure('load_pct', 'mean'),
    latency_ms: figure('latency_ms', 'mean'),
    signal_quality: figure('signal_quality', 'mean'),
    busiest: busiestOf(senders),
  }
}

function busiestOf(senders: readonly Sender[]): FleetFigures['busiest'] {
  return senders
    .map(({ apId, values }) => ({
      ap_id: apId,
      load_pct: of(values, 'load_pct'),
      clients: of(values, 'clients'),
    }))
    .filter((agent): agent is typeof agent & { load_pct: number } => agent.load_pct !== null)
    .sort((a, b) => b.load_pct - a.load_pct || (a.ap_id < b.ap_id ? -1 : 1))
    .slice(0, mostBusiest)
}

function of(values: Values, name: FigureName): number | null {
  const value = values[figureNames.indexOf(name)] ?? Number.NaN
  return Number.isFinite(value) ? value : null
}
