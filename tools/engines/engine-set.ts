import { isAbsolute } from 'node:path'
import { EngineError } from './engine-error.ts'
import type { Guard } from './guard.ts'
import type { Ports } from './ports.ts'
import { findProcesses, mainProcess } from './processes.ts'
import { programsOf } from './programs.ts'
import { type Program, type ProgramResult, runProgram } from './run-program.ts'
import { startEngine } from './start-engine.ts'
import {
  ENGINE_NAMES,
  type EngineName,
  loadState,
  markOf,
  type SetState,
  saveState,
  setDirOf,
} from './state.ts'
import { endEngine, killEngine, pauseEngine, resumeEngine } from './stop-engine.ts'
import { endEngines, removeData } from './take-down.ts'
import { type EngineUrls, urlsOf } from './urls.ts'

export interface EngineSet {
  readonly name: string
  /** Where its state is; `attachSet(dir)` in another process gives the same set. */
  readonly dir: string
  readonly dataDir: string
  readonly urls: EngineUrls
  readonly ports: Ports
  /** 0 where it was running already. */
  readonly startedInMs: number
  /** SIGKILL to every process of the engine; resolves when they are gone. */
  kill(engine: EngineName): Promise<void>
  stop(engine: EngineName): Promise<void>
  /** On the same ports, with the same data; resolves when it answers. */
  start(engine: EngineName): Promise<void>
  pause(engine: EngineName): Promise<void>
  resume(engine: EngineName): Promise<void>
  /** Runs a program with the engines' own versions of pg_dump, vmbackup and others on its PATH. */
  run(program: Program): Promise<ProgramResult>
  /** Stops all; removes the data, unless the set is one that is owned and keeps it. */
  down(options?: { keepData?: boolean }): Promise<void>
}

function stateOf(setDir: string): SetState {
  const state = loadState(setDir)
  if (state) return state
  throw new EngineError(`There is no set in ${setDir}. Start one: npm run engines -- up --set NAME`)
}

async function startAgain(engine: EngineName, state: SetState): Promise<void> {
  const mark = markOf(state)
  if (mainProcess(findProcesses(mark), engine)) return
  // Left over from an engine that died, they would hold its ports.
  await killEngine(mark, engine)
  await startEngine(engine, state, programsOf(state))
}

async function takeDown(setDir: string, keepData: boolean): Promise<void> {
  const state = stateOf(setDir)
  const order = { mark: markOf(state), setDir, dataDir: state.dataDir, engines: ENGINE_NAMES }
  await endEngines(order, state.lifetime === 'ephemeral' ? 'drop' : 'stop')
  if (keepData) saveState(setDir, { ...state, guard: null })
  else removeData(order)
}

export function openSet(setDir: string, startedInMs: number, guard?: Guard): EngineSet {
  const state = stateOf(setDir)
  const mark = markOf(state)
  const mustRun = (engine: EngineName) => {
    if (mainProcess(findProcesses(mark), engine)) return
    throw new EngineError(
      `${engine} is not running. Start it: npm run engines -- start ${engine} --set ${state.name}`,
    )
  }
  return {
    name: state.name,
    dir: setDir,
    dataDir: state.dataDir,
    urls: urlsOf(state),
    ports: state.ports,
    startedInMs,
    kill: (engine) => killEngine(mark, engine),
    stop: (engine) => endEngine(mark, engine, 'stop'),
    start: (engine) => startAgain(engine, stateOf(setDir)),
    async pause(engine) {
      mustRun(engine)
      await pauseEngine(mark, engine)
    },
    async resume(engine) {
      mustRun(engine)
      await resumeEngine(mark, engine)
    },
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
