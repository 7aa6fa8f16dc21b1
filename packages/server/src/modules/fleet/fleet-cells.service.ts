import { type Box, cellsAcross, type FleetCells, loadSteps, maxSingleAgents } from '@manc/contract'
import type { FiguresService } from './figures.service.ts'
import type { FleetCellsStore } from './fleet-cells.store.ts'
import type { FleetFilter } from './fleet-list.store.ts'
import type { FleetTableService } from './fleet-table.service.ts'
import { SharedReadCache } from './shared-read.cache.ts'

interface Deps {
  store: FleetCellsStore
  table: Pick<FleetTableService, 'count'>
  figures: Pick<FiguresService, 'loads'>
}

/** For callers that look at the same area. */
const freshMs = 2000
/** Of those that are cached. A response has at most about 600 KB. */
const maxCached = 50
const loadStepPct = 100 / loadSteps
/** So that agents at one place, or in one line, have an area. */
const leastDegrees = 1e-6

/** Agents for maps: one by one, or as cells where there are many. */
export class FleetCellsService {
  readonly #deps: Deps
  /** By filter; the oldest first. */
  readonly #cached = new Map<string, SharedReadCache<FleetCells>>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async cells(filter: FleetFilter, withLoads: boolean): Promise<FleetCells> {
    const count = await this.#deps.store.countUpTo(filter, maxSingleAgents + 1)
    return count <= maxSingleAgents ? this.#agents(filter, count, withLoads) : this.#shared(filter, withLoads)
  }

  async #agents(filter: FleetFilter, total: number, withLoads: boolean): Promise<FleetCells> {
    const asOf = new Date().toISOString()
    const [agents, loads] = await Promise.all([
      this.#deps.store.agents(filter),
      withLoads ? this.#deps.figures.loads(filter.view) : undefined,
    ])
    const placed = agents.map(({ apId, name, technology, state, kpiHealth, latitude, longitude }) => ({
      ap_id: apId,
      name,
      technology,
      state,
      health: state === 'offline' ? state : kpiHealth,
      position: { latitude: latitude ?? 0, longitude: longitude ?? 0 },
      ...(loads && { load_pct: loads[apId] ?? null }),
    }))
    return { total, area: areaOf(placed), agents: placed, cells: [], as_of: asOf }
  }

  #shared(filter: FleetFilter, withLoads: boolean): Promise<FleetCells> {
    const key = JSON.stringify([filter, withLoads])
    const cached =
      this.#cached.get(key) ?? new SharedReadCache(() => this.#read(filter, withLoads), { freshMs })
    this.#cached.delete(key)
    this.#cached.set(key, cached)
    for (const each of this.#cached.keys())
      if (this.#cached.size > maxCached) this.#cached.delete(each)
      else break
    return cached.current()
  }

  async #read(filter: FleetFilter, withLoads: boolean): Promise<FleetCells> {
    const { store, table, figures } = this.#deps
    const asOf = new Date().toISOString()
    const [total, area, loads] = await Promise.all([
      table.count(filter),
      filter.box ?? store.area(filter),
      withLoads ? figures.loads(filter.view) : undefined,
    ])
    if (!area) return { total, area: null, agents: [], cells: [], as_of: asOf }
    const steps = loads && new Map(Object.entries(loads).map(([apId, load]) => [apId, stepOf(load)]))
    const cell = Math.max(widthOf(area), area.north - area.south, leastDegrees) / cellsAcross
    const found = await store.cells(filter, { area, cell }, steps)
    const cells = found.map(({ loads: byLoad, ...each }) => ({ ...each, ...(steps && { loads: byLoad }) }))
    return { total, area, agents: [], cells, as_of: asOf }
  }
}

const stepOf = (loadPct: number): number =>
  Math.max(0, Math.min(loadSteps - 1, Math.floor(loadPct / loadStepPct)))

const widthOf = ({ west, east }: Box): number => (west <= east ? east - west : east - west + 360)

function areaOf(agents: readonly { position: { latitude: number; longitude: number } }[]): Box | null {
  if (agents.length === 0) return null
  const longitudes = agents.map(({ position }) => position.longitude)
  const latitudes = agents.map(({ position }) => position.latitude)
  return {
    west: Math.min(...longitudes),
    south: Math.min(...latitudes),
    east: Math.max(...longitudes),
    north: Math.max(...latitudes),
  }
}
