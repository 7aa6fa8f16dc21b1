import { chmodSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isReachable, reachableTemporaryDir } from './accounts.ts'
import { EngineError } from './engine-error.ts'
import { type BrokerTls, enginesRoot, type Lifetime, type SetState, setDirOf } from './state.ts'
import { unitsOf } from './units.ts'

export interface StartOptions {
  /** Default: `default`. */
  readonly name?: string
  /** The folder of the set, instead of `.engines/NAME`. */
  readonly dir?: string
  /** Lives in a temporary folder and vanishes with this process, however that ends. */
  readonly ephemeral?: boolean
  /** Stops with this process, however that ends, and keeps its data for the next start. */
  readonly owned?: boolean
  /** Adds TLS listeners for MQTT and AMQP to the broker of a new set. */
  readonly tls?: BrokerTls
  /** Several nodes of each engine, instead of one. Needs the engines of Debian 13. */
  readonly cluster?: boolean
  /** Starts vmalert, which evaluates the rules of alarms. */
  readonly vmalert?: boolean
  /** PostgreSQL does not wait for the disk. Data survives the end of any process, but not that of the machine. */
  readonly withoutSync?: boolean
  /** Receives a line for each engine that is ready. */
  readonly log?: (line: string) => void
}

export function lifetimeOf({ ephemeral, owned }: StartOptions): Lifetime {
  if (ephemeral) return 'ephemeral'
  return owned ? 'owned' : 'kept'
}

/** Only computes the paths: nothing is created before the guard that removes it runs. */
export function placeSet(options: StartOptions, id: string): string {
  if (options.ephemeral) return join(reachableTemporaryDir(), `manc-engines-${id}`)
  return options.dir ? resolve(options.dir) : setDirOf(options.name ?? 'default')
}

/** Beside the state, unless the engines' accounts cannot get there, as in a clone below a home that is closed. */
export function placeData(setDir: string, mark: string, log: StartOptions['log']): string {
  const isOurs = dirname(setDir) === enginesRoot()
  if (isReachable(dirname(isOurs ? enginesRoot() : setDir))) return join(setDir, mark)
  const dataDir = join(reachableTemporaryDir(), mark)
  log?.(`${setDir} is closed to the engines' users: the data goes to ${dataDir}`)
  return dataDir
}

/** The umask of the person may be stricter than the engines' accounts can bear. */
function makeOpenDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o755)
  } catch (error) {
    throw new EngineError(
      `${path} cannot be created (${String(error)}). Set MANC_ENGINES_DIR to another folder.`,
    )
  }
}

export function makeDirs(setDir: string, state: SetState): void {
  if (dirname(setDir) === enginesRoot()) makeOpenDir(enginesRoot())
  makeOpenDir(setDir)
  makeOpenDir(state.dataDir)
  for (const unit of unitsOf(state)) makeOpenDir(unit.state.dataDir)
}
