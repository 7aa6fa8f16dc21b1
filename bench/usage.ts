import { readFileSync } from 'node:fs'
import { type EngineProcess, findProcesses } from '../tools/engines/processes.ts'
import { type EngineName, loadState, markOf } from '../tools/engines/state.ts'

const ticksPerSecond = 100
const pageBytes = 4096

export interface Usage {
  cpuS: number
  rssBytes: number
}

/** Usage of our processes. A process that has exited counts as zero; its exit is detected elsewhere. */
export const usageOf = (pids: readonly number[]): Usage => ({
  cpuS: sumOf(pids.map((pid) => cpuOf(pid).own)),
  rssBytes: sumOf(pids.map((pid) => memoryOf(pid).resident)),
})

/** Usage of every process of an engine; CPU time of exited workers is included in their parent. */
export function usageOfEngines(setDir: string): Record<EngineName, Usage> {
  const state = loadState(setDir)
  const processes = state ? findProcesses(markOf(state)) : []
  const of = (engine: EngineName) => usageTogether(processes.filter((each) => each.engine === engine))
  return { postgres: of('postgres'), rabbitmq: of('rabbitmq'), victoria: of('victoria') }
}

/** CPU seconds of all cores since boot: busy, and stolen by the hypervisor. */
export function machineTime(): { busyS: number; stolenS: number } {
  const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/)
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0, stolen = 0] =
    fields.map(Number)
  return {
    busyS: (user + nice + system + interrupts + softInterrupts) / ticksPerSecond,
    stolenS: stolen / ticksPerSecond,
  }
}

/** The processes of PostgreSQL share most of their memory: it counts once. */
function usageTogether(processes: readonly EngineProcess[]): Usage {
  const memory = processes.map(({ pid }) => memoryOf(pid))
  return {
    cpuS: sumOf(
      processes.map(({ pid, root }) => {
        const { own, ofChildren } = cpuOf(pid)
        return root ? own + ofChildren : own
      }),
    ),
    rssBytes:
      sumOf(memory.map(({ resident, shared }) => resident - shared)) +
      Math.max(0, ...memory.map(({ shared }) => shared)),
  }
}

function cpuOf(pid: number): { own: number; ofChildren: number } {
  const stat = read(pid, 'stat')
  // Fields from the third on: the second is the program name in parentheses and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, ofChildrenUser = 0, ofChildrenSystem = 0] = fields.slice(11, 15).map(Number)
  return {
    own: (user + system) / ticksPerSecond,
    ofChildren: (ofChildrenUser + ofChildrenSystem) / ticksPerSecond,
  }
}

/** In bytes. */
function memoryOf(pid: number): { resident: number; shared: number } {
  const [, resident = 0, shared = 0] = read(pid, 'statm').split(' ').map(Number)
  return { resident: resident * pageBytes, shared: shared * pageBytes }
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
