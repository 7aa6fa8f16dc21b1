import { type FleetFigures, technologies } from '@manc/contract'
import { fitsOneOf } from '../../globs.ts'
import type { AgentKind, FleetListStore, FleetView } from './fleet-list.store.ts'
import type { NewestValuesStore, Values } from './newest-values.store.ts'
import { SharedReadCache } from './shared-read.cache.ts'
import type { GroupSums } from './trends.store.ts'

/** The metrics that are added up over the fleet, for trends as well. */
const sumNames = ['clients', 'throughput_mbps', 'power_w'] as const
/** The metrics that are aggregated over the fleet. */
const figureNames = [...sumNames, 'load_pct', 'latency_ms', 'signal_quality'] as const
type FigureName = (typeof figureNames)[number]

const maxBusiest = 10
/** Of callers that see different agents; of one reading. */
const maxAnswers = 50

type Fleet = Pick<FleetListStore, 'kinds'>

interface Reading {
  asOf: string
  agents: Sender[]
  /** Of emulated agents. */
  owners: ReadonlySet<string | null>
  /** Results already computed, by the agents that the caller sees. */
  answers: Map<string, FleetFigures>
  loads: Map<string, Readonly<Record<string, number>>>
}

interface Sender {
  apId: string
  /** The same object for all agents of one kind. */
  kind: AgentKind
  values: Values
}

/** Sums and means over the fleet, from one read of the metrics store that all callers share. */
export class FiguresService {
  readonly #store: NewestValuesStore
  readonly #fleet: Fleet
  readonly #shared = new SharedReadCache(() => this.#read(figureNames))

  constructor(deps: { store: NewestValuesStore; fleet: Fleet }) {
    this.#store = deps.store
    this.#fleet = deps.fleet
  }

  async figures(view: FleetView): Promise<FleetFigures> {
    const reading = await this.#shared.current()
    return once(reading.answers, keyOf(reading, view), () => this.#answer(reading, view))
  }

  /** The load of each agent that the caller sees, for maps. */
  async loads(view: FleetView): Promise<Readonly<Record<string, number>>> {
    const reading = await this.#shared.current()
    return once(reading.loads, keyOf(reading, view), () => loadsOf(reading.agents.filter(isSeenWith(view))))
  }

  /** Of the whole fleet. Reads nothing else if no caller has read the figures lately: with many agents a read is expensive. */
  async sums(): Promise<GroupSums[]> {
    const { agents } = this.#shared.recent ?? (await this.#read(sumNames))
    return [...Map.groupBy(agents, ({ kind }) => kind)].map(([kind, senders]) => {
      const { clients, throughput_mbps, power_w } = figuresOf(senders)
      return { ...kind, clients, throughput_mbps, power_w }
    })
  }

  /** `names`: the first of `figureNames`, in this order. Without agents that are no longer registered. */
  async #read(names: readonly FigureName[]): Promise<Reading> {
    const asOf = new Date().toISOString()
    const newest = await this.#store.ofAll(names)
    const kinds = await this.#fleet.kinds([...newest.keys()])
    const agents: Sender[] = []
    for (const [apId, values] of newest) {
      const kind = kinds.get(apId)
      if (kind) agents.push({ apId, kind, values })
    }
    const owners = new Set(agents.map(({ kind }) => kind.emulatedBy))
    return { asOf, agents, owners, answers: new Map(), loads: new Map() }
  }

  #answer({ agents, asOf }: Reading, view: FleetView): FleetFigures {
    const senders = agents.filter(isSeenWith(view))
    return {
      ...figuresOf(senders),
      technologies: technologies.map((technology) => ({
        technology,
        ...figuresOf(senders.filter(({ kind }) => kind.technology === technology)),
      })),
      as_of: asOf,
    }
  }
}

/** Identifies what the caller sees. Callers without emulated agents share a result. */
function keyOf({ owners }: Reading, { patterns, emulated, owner }: FleetView): string {
  const hasOwn = emulated === 'own' && owners.has(owner)
  return JSON.stringify([patterns ?? null, emulated, hasOwn && owner])
}

/** The oldest results are forgotten. */
function once<T>(known: Map<string, T>, key: string, compute: () => T): T {
  const value = known.get(key) ?? compute()
  known.set(key, value)
  for (const each of known.keys())
    if (known.size > maxAnswers) known.delete(each)
    else break
  return value
}

function loadsOf(senders: readonly Sender[]): Record<string, number> {
  const loads: Record<string, number> = {}
  for (const { apId, values } of senders) {
    const load = valueOf(values, 'load_pct')
    if (load !== null) loads[apId] = Math.round(load * 10) / 10
  }
  return loads
}

function isSeenWith({ patterns, emulated, owner }: FleetView): (sender: Sender) => boolean {
  const fits = patterns && !patterns.includes('*') ? fitsOneOf(patterns) : () => true
  return ({ apId, kind: { emulatedBy } }) =>
    fits(apId) && (emulatedBy === null || emulated === 'all' || (emulated === 'own' && emulatedBy === owner))
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

/** Sorted by load, the highest first. Without sorting all: a fleet has many agents. */
function busiestOf(senders: readonly Sender[]): FleetFigures['busiest'] {
  const busiest: { ap_id: string; load_pct: number; clients: number | null }[] = []
  for (const { apId, values } of senders) {
    const load = valueOf(values, 'load_pct')
    const last = busiest.length === maxBusiest ? busiest.at(-1) : undefined
    if (load === null || (last && (load < last.load_pct || (load === last.load_pct && apId > last.ap_id))))
      continue
    const agent = { ap_id: apId, load_pct: load, clients: valueOf(values, 'clients') }
    const at = busiest.findIndex(
      (each) => each.load_pct < load || (each.load_pct === load && each.ap_id > apId),
    )
    busiest.splice(at < 0 ? busiest.length : at, 0, agent)
    busiest.length = Math.min(busiest.length, maxBusiest)
  }
  return busiest
}

function valueOf(values: Values, name: FigureName): number | null {
  const value = values[figureNames.indexOf(name)] ?? Number.NaN
  return Number.isFinite(value) ? value : null
}
