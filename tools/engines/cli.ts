import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { HELP, statusTable } from './cli-text.ts'
import { EngineError } from './engine-error.ts'
import { attachSet, type EngineSet } from './engine-set.ts'
import { installEngines } from './install.ts'
import { startSet } from './start-set.ts'
import { enginesRoot, listSets, loadState, setDirOf } from './state.ts'
import type { UnitName } from './units.ts'

interface Options {
  readonly set?: string | undefined
  readonly all?: boolean | undefined
  readonly secrets?: boolean | undefined
  readonly cluster?: boolean | undefined
}

const print = (line: string) => console.log(line)
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
const inUse = () => listSets().flatMap((name) => loadState(join(enginesRoot(), name)) ?? [])

async function up(name: string, cluster: boolean): Promise<void> {
  print(`Starting the set "${name}"`)
  const set = await startSet({ name, cluster, vmalert: true, log: (line) => print(`  ${line}`) })
  if (set.startedInMs > 0) print(`Ready in ${seconds(set.startedInMs)}`)
  status(false)
}

async function downOne(name: string): Promise<void> {
  const setDir = setDirOf(name)
  const state = loadState(setDir)
  if (state) {
    print(`Stopping the set "${name}"`)
    await attachSet(name).down({ keepData: false })
    print(`  stopped; removed ${state.dataDir}`)
  } else if (listSets().includes(name)) {
    rmSync(setDir, { recursive: true, force: true })
    print(`Removed ${setDir}, which held no set`)
  } else {
    throw new EngineError(`There is no set "${name}". List the sets: npm run engines -- status`)
  }
}

async function down(name: string, all: boolean): Promise<void> {
  const names = all ? listSets() : [name]
  if (names.length === 0) print('There are no sets')
  await Promise.all(names.map(downOne))
}

function status(secrets: boolean): void {
  const states = inUse()
  if (states.length === 0) return print('There are no sets. Start one: npm run engines -- up')
  print(statusTable(states, secrets))
  if (!secrets) print('Addresses with their passwords: npm run engines -- status --secrets')
}

const DONE = { kill: 'killed', stop: 'stopped', start: 'ready', pause: 'paused', resume: 'resumed' } as const
type Action = keyof typeof DONE

/** A set refuses an engine that it does not have. */
async function act(action: Action, engine: UnitName, set: EngineSet): Promise<void> {
  const began = performance.now()
  await set[action](engine)
  print(`${engine} of "${set.name}" is ${DONE[action]} (${seconds(performance.now() - began)})`)
}

async function run(command: string | undefined, engine: string | undefined, options: Options): Promise<void> {
  const name = options.set ?? 'default'
  switch (command) {
    case 'up':
      return up(name, options.cluster ?? false)
    case 'down':
      return down(name, options.all ?? false)
    case 'status':
      return status(options.secrets ?? false)
    case 'install':
      return installEngines(engine, print)
    case 'kill':
    case 'stop':
    case 'start':
    case 'pause':
    case 'resume':
      return act(command, (engine ?? '') as UnitName, attachSet(name))
    default:
      throw new EngineError(`${command ? `There is no command "${command}"` : 'Name a command'}.\n\n${HELP}`)
  }
}

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      set: { type: 'string' },
      all: { type: 'boolean' },
      secrets: { type: 'boolean' },
      cluster: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) print(HELP)
  else await run(positionals[0], positionals[1], values)
} catch (error) {
  const misspelt = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  if (misspelt) console.error(`${(error as Error).message}.\nSee: npm run engines -- --help`)
  else console.error(error instanceof EngineError ? error.message : error)
  process.exitCode = 1
}
