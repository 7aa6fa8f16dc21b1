import { readdirSync, readFileSync } from 'node:fs'
import type { EngineName } from './state.ts'
import type { UnitKind } from './units.ts'

export interface EngineProcess {
  readonly pid: number
  readonly engine: EngineName | 'vmalert' | 'etcd'
  readonly program: string
  readonly startTime: string
  readonly paused: boolean
  /** Not started by another process of the same engine. */
  readonly root: boolean
}

interface Entry {
  readonly pid: number
  readonly parent: number
  readonly program: string
  readonly status: string
  readonly startTime: string
}

const POSTGRES_PROGRAMS = new Set(['postgres', 'initdb', 'patroni'])
const ERLANG_STARTERS = new Set(['rabbitmq-server', 'erl', 'erlexec', 'beam.smp', 'epmd'])
// Once the virtual machine is dead, nothing but their inherited environment ties these to it.
const ERLANG_HELPERS = new Set(['erl_child_setup', 'inet_gethost', 'sh'])

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** A process that has ended may show as a zombie while its other threads still hold its sockets open. */
function hasEnded(pid: number, status: string | undefined): boolean {
  if (status !== 'Z') return status === undefined || status === 'X'
  try {
    return readdirSync(`/proc/${pid}/task`).length <= 1
  } catch {
    return true
  }
}

function entryOf(pid: number): Entry | undefined {
  // The program's name stands in parentheses and may hold some itself.
  const stat = read(pid, 'stat')
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  const [status, parent] = fields
  const startTime = fields[19]
  if (!status || !startTime || hasEnded(pid, status)) return undefined
  return { pid, parent: Number(parent), program: stat.slice(stat.indexOf('(') + 1, end), status, startTime }
}

/** Asks for more than the mark alone, or `tail -f` of a log would pass for an engine. */
function engineOf({ pid, program }: Entry, mark: string): EngineProcess['engine'] | undefined {
  if (ERLANG_HELPERS.has(program)) return read(pid, 'environ').includes(mark) ? 'rabbitmq' : undefined
  const line = read(pid, 'cmdline')
  if (!line.includes(mark)) return undefined
  if (POSTGRES_PROGRAMS.has(program)) return 'postgres'
  if (program === 'etcd') return 'etcd'
  if (ERLANG_STARTERS.has(program)) return 'rabbitmq'
  if (line.includes('-notifier.url=')) return 'vmalert'
  return line.includes('-storageDataPath=') ? 'victoria' : undefined
}

/** Looks at the whole process table each time: a recorded process id may belong to a stranger by now. */
export function findProcesses(mark: string): EngineProcess[] {
  const entries = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => entryOf(Number(name)))
    .filter((entry) => entry !== undefined)
  const found = new Map<number, EngineProcess['engine']>()
  for (const entry of entries) {
    const engine = engineOf(entry, mark)
    if (engine) found.set(entry.pid, engine)
  }
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const { pid, parent } of entries) {
      const engine = found.get(parent)
      if (engine && !found.has(pid)) found.set(pid, engine)
    }
  }
  return entries.flatMap(({ pid, parent, program, status, startTime }) => {
    const engine = found.get(pid)
    const root = !found.has(parent)
    return engine ? [{ pid, engine, program, startTime, paused: status === 'T', root }] : []
  })
}

/** The processes of one unit. With Patroni, its PostgreSQL belongs to it. */
export function processesOf(mark: string, kind: UnitKind): EngineProcess[] {
  return findProcesses(mark).filter((it) => it.engine === (kind === 'patroni' ? 'postgres' : kind))
}

/** The process that stands for the unit: the postmaster, Patroni, the Erlang virtual machine, and so on. */
export function mainProcess(mark: string, kind: UnitKind): EngineProcess | undefined {
  const isMain = ({ program }: EngineProcess) =>
    kind === 'patroni' ? program === 'patroni' : program !== 'epmd'
  return processesOf(mark, kind).find((it) => it.root && isMain(it))
}

export function isGuard(pid: number, mark: string): boolean {
  const line = read(pid, 'cmdline')
  return line.includes('watchdog.ts') && line.includes(mark)
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export function isAlive(pid: number): boolean {
  return entryOf(pid) !== undefined
}

/** On its way out a process loses its command line before its sockets, so it is found by this alone. */
export function isStillThere({ pid, startTime }: EngineProcess): boolean {
  return entryOf(pid)?.startTime === startTime
}
