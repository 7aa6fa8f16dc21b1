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
export const usageOf = (pids: readonly number[]): Usage =>
  sumOf(pids.map((pid) => ({ cpuS: cpuOf(pid).own, rssBytes: rssOf(pid) })))

/** Usage of every process of an engine; CPU time of exited workers is included in their parent. */
export function usageOfEngines(setDir: string): Record<EngineName, Usage> {
  const state = loadState(setDir)
  const processes = state ? findProcesses(markOf(state)) : []
  const of = (engine: EngineName) =>
    sumOf(processes.filter((each) => each.engine === engine).map(usageOfProcess))
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

function usageOfProcess({ pid, root }: EngineProcess): Usage {
  const { own, ofChildren } = cpuOf(pid)
  return { cpuS: root ? own + ofChildren : own, rssBytes: rssOf(pid) }
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

const rssOf = (pid: number): number => Number(read(pid, 'statm').split(' ')[1] ?? 0) * pageBytes

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const sumOf = (usages: readonly Usage[]): Usage => ({
  cpuS: usages.reduce((sum, { cpuS }) => sum + cpuS, 0),
  rssBytes: usages.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
})
