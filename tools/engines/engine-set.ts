import { isAbsolute, join } from 'node:path'
import { primaryOf, standbyOf } from './cluster.ts'
import { EngineError } from './engine-error.ts'
import { ENGINES } from './engines.ts'
import type { Guard } from './guard.ts'
import type { Ports } from './ports.ts'
import { mainProcess, processesOf } from './processes.ts'
import { programsOf } from './programs.ts'
import { type Program, type ProgramResult, runProgram } from './run-program.ts'
import { startEngine } from './start-engine.ts'
import { loadState, markOf, type NodeName, type SetState, saveState, setDirOf } from './state.ts'
import { endEngine, killEngine, pauseEngine, resumeEngine, unitMark } from './stop-engine.ts'
import { endEngines, orderOf, removeData } from './take-down.ts'
import { type ClusterSetState, isCluster, type Unit, type UnitName, unitNamed, unitsOf } from './units.ts'
import { type EngineUrls, urlsOf } from './urls.ts'
import { rulesFileOf } from './vmalert.ts'

/** Of one engine or node, at this moment. */
export interface UnitDetails {
  readonly pids: readonly number[]
  /** Those that it listens on. */
  readonly ports: readonly number[]
  /** The folder of its data, without its log. */
  readonly dataDir: string
  readonly logFile: string
}

export interface EngineSet {
  readonly name: string
  /** Where its state is; `attachSet(dir)` in another process gives the same set. */
  readonly dir: string
  readonly dataDir: string
  /** Of a cluster, with the addresses of all nodes where settings accept several. */
  readonly urls: EngineUrls
  readonly ports: Ports
  /** 0 where it was running already. */
  readonly startedInMs: number
  /** SIGKILL to every process of the engine; resolves when they are gone. */
  kill(engine: UnitName): Promise<void>
  stop(engine: UnitName): Promise<void>
  /** On the same ports, with the same data; resolves when it answers. */
  start(engine: UnitName): Promise<void>
  pause(engine: UnitName): Promise<void>
  resume(engine: UnitName): Promise<void>
  /** The addresses of one node of a cluster; those of other engines in it are of no use. */
  urlsOf(node: NodeName): EngineUrls
  /** The PostgreSQL of a cluster that takes writes now; waits until there is one. */
  primary(): Promise<NodeName>
  /** The one that may take over from it now; waits until there is one. */
  standby(): Promise<NodeName>
  /** What faults are caused with that the set itself does not know. */
  inspect(engine: UnitName): UnitDetails
  /** Runs a program with the engines' own versions of pg_dump, vmbackup and others on its PATH. */
  run(program: Program): Promise<ProgramResult>
  /** Where the controller writes the rules that vmalert reads. */
  readonly rulesFile: string
  /** Stops all; removes the data, unless the set is one that is owned and keeps it. */
  down(options?: { keepData?: boolean }): Promise<void>
}

function stateOf(setDir: string): SetState {
  const state = loadState(setDir)
  if (state) return state
  throw new EngineError(`There is no set in ${setDir}. Start one: npm run engines -- up --set NAME`)
}

const isRunning = ({ kind, state }: Unit) => mainProcess(markOf(state), kind) !== undefined

async function startAgain(unit: Unit): Promise<void> {
  if (isRunning(unit)) return
  // Left over from an engine that died, they would hold its ports.
  await killEngine(unitMark(unit))
  await startEngine(unit, programsOf(unit.state))
}

function detailsOf({ kind, state }: Unit): UnitDetails {
  // Nodes of a cluster share one epmd.
  const ports = ENGINES[kind].ports.filter((name) => name !== 'epmd')
  return {
    pids: processesOf(markOf(state), kind).map(({ pid }) => pid),
    ports: ports.map((name) => state.ports[name]),
    dataDir: join(state.dataDir, kind === 'patroni' ? 'postgres' : kind),
    logFile: join(state.dataDir, `${kind}.log`),
  }
}

function mustBeCluster(state: SetState): ClusterSetState {
  if (isCluster(state)) return state
  throw new EngineError(
    `The set "${state.name}" is not a cluster. Start one: npm run engines -- up --cluster`,
  )
}

async function takeDown(setDir: string, keepData: boolean): Promise<void> {
  const state = stateOf(setDir)
  const order = orderOf(state, setDir, unitsOf(state))
  await endEngines(order, state.lifetime === 'ephemeral' ? 'drop' : 'stop')
  if (keepData) saveState(setDir, { ...state, guard: null })
  else removeData(order)
}

export function openSet(setDir: string, startedInMs: number, guard?: Guard): EngineSet {
  const state = stateOf(setDir)
  const unit = (name: UnitName) => unitNamed(stateOf(setDir), name)
  const runningUnit = (name: UnitName) => {
    const found = unit(name)
    if (isRunning(found)) return unitMark(found)
    throw new EngineError(
      `${name} is not running. Start it: npm run engines -- start ${name} --set ${state.name}`,
    )
  }
  return {
    name: state.name,
    dir: setDir,
    dataDir: state.dataDir,
    urls: urlsOf(state),
    ports: state.ports,
    rulesFile: rulesFileOf(state),
    startedInMs,
    kill: async (engine) => killEngine(unitMark(unit(engine))),
    stop: async (engine) => endEngine(unitMark(unit(engine)), 'stop'),
    start: async (engine) => startAgain(unit(engine)),
    pause: async (engine) => pauseEngine(runningUnit(engine)),
    resume: async (engine) => resumeEngine(runningUnit(engine)),
    urlsOf: (node) => urlsOf(unit(node).state),
    primary: async () => primaryOf(mustBeCluster(state)),
    standby: async () => standbyOf(mustBeCluster(state)),
    inspect: (engine) => detailsOf(unit(engine)),
    run: (program) => runProgram(stateOf(setDir), program),
    async down({ keepData = state.lifetime === 'owned' } = {}) {
      await takeDown(setDir, keepData)
      await guard?.release()
    },
  }
}

/** A set that was started elsewhere, by its name or by the absolute path of its folder. */
export function attachSet(nameOrDir: string): EngineSet {
  return openSet(isAbsolute(nameOrDir) ? nameOrDir : setDirOf(nameOrDir), 0)
}
