import { completeCluster } from './cluster.ts'
import { EngineError, PortClashError } from './engine-error.ts'
import { type EngineSet, openSet } from './engine-set.ts'
import { type Guard, startGuard } from './guard.ts'
import { mainProcess } from './processes.ts'
import { findPrograms, type Programs, programsOf } from './programs.ts'
import { lifetimeOf, makeDirs, placeSet, type StartOptions } from './set-paths.ts'
import { newState, waitForGuard, withFreePorts, withNewPorts, withVmalert } from './set-state.ts'
import { startEngine } from './start-engine.ts'
import { createState, type Lifetime, loadState, markOf, newId, type SetState, saveState } from './state.ts'
import { endEngines, orderOf, removeData, type TakeDownOrder } from './take-down.ts'
import { isCluster, type Unit, type UnitName, unitsOf } from './units.ts'

interface Start {
  readonly order: TakeDownOrder
  readonly names: ReadonlySet<UnitName>
  readonly programs: Programs
  readonly log: (line: string) => void
}

async function startAll({ names, programs, log }: Start, state: SetState): Promise<void> {
  const abort = new AbortController()
  const start = async (unit: Unit) => {
    try {
      const ms = await startEngine(unit, programs, abort.signal)
      log(`${unit.name} is ready after ${(ms / 1_000).toFixed(1)} s`)
    } catch (error) {
      abort.abort(error)
    }
  }
  await Promise.all(
    unitsOf(state)
      .filter(({ name }) => names.has(name))
      .map(start),
  )
  abort.signal.throwIfAborted()
  if (isCluster(state)) await completeCluster(state, programs)
}

async function startWithRetry(start: Start, state: SetState): Promise<void> {
  try {
    await startAll(start, state)
  } catch (error) {
    // The members of a cluster know each other by their ports.
    if (!(error instanceof PortClashError) || isCluster(state)) throw error
    start.log('A port was taken in the meantime: once more with others')
    await endEngines(start.order, 'drop')
    const moved = await withNewPorts(state, start.names)
    saveState(start.order.setDir, moved)
    await startAll(start, moved)
  }
}

/** What is left of an engine that died would hold its ports. */
async function revive(start: Start, state: SetState): Promise<void> {
  makeDirs(start.order.setDir, state)
  await endEngines(start.order, 'drop')
  const free = await withFreePorts(state, start.names)
  saveState(start.order.setDir, free)
  await startWithRetry(start, free)
}

async function create(start: Start, state: SetState): Promise<void> {
  makeDirs(start.order.setDir, state)
  createState(start.order.setDir, state)
  await startWithRetry(start, state)
}

async function settle(setDir: string, lifetime: Lifetime, guard: Guard): Promise<void> {
  if (lifetime === 'owned') await guard.keepData()
  if (lifetime !== 'kept') return
  const state = loadState(setDir)
  if (state) saveState(setDir, { ...state, guard: null })
  await guard.release()
}

function refuseOtherShape(known: SetState, { cluster }: StartOptions): void {
  if (cluster && !isCluster(known))
    throw new EngineError(
      `The set "${known.name}" is not a cluster. Choose another name with --set, or remove it: npm run engines -- down --set ${known.name}`,
    )
}

/**
 * Starts what is not running of a set and waits until every engine answers. While it starts, a guard stands by: a
 * start that fails or is killed leaves no process, and no data that was not there before.
 */
export async function startSet(options: StartOptions = {}): Promise<EngineSet> {
  const began = performance.now()
  const log = options.log ?? (() => {})
  const id = newId()
  const setDir = placeSet(options, id)
  const known = loadState(setDir)
  const programs = known ? programsOf(known) : findPrograms()
  if (known) {
    refuseOtherShape(known, options)
    await waitForGuard(known)
  }
  const base = known ? await withVmalert(known, options) : await newState(id, setDir, options, programs)
  const all = unitsOf(base)
  const units = all.filter(({ kind, state }) => !mainProcess(markOf(state), kind))
  if (units.length === 0) {
    log(`The set "${base.name}" is running already`)
    return openSet(setDir, 0)
  }
  const lifetime = units.length < all.length ? base.lifetime : lifetimeOf(options)
  const order = orderOf(base, setDir, units)
  const names = new Set(units.map(({ name }) => name))
  const guard = startGuard({ ...order, removeData: !known })
  try {
    const state = { ...base, lifetime, guard: { pid: guard.pid, owner: process.pid } }
    await (known ? revive : create)({ order, names, programs, log }, state)
  } catch (error) {
    await endEngines(order, 'drop')
    if (!known) removeData(order)
    await guard.release()
    throw error
  }
  await settle(setDir, lifetime, guard)
  return openSet(setDir, Math.round(performance.now() - began), guard)
}
