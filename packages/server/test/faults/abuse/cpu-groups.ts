import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'

/** Of cgroup v1. Root may create groups there. */
const root = '/sys/fs/cgroup/cpu'
const composeFile = path.join(import.meta.dirname, '../../../../../deploy/compose/compose.yaml')
const defaultShares = 1024
/** As of a session with the lowest priority (nice 19). */
const attackerShares = 15
const prefix = 'manc_'

/**
 * Groups of processes among which Linux divides the CPU, with the weights of `deploy/compose/compose.yaml`: as for
 * containers, the backends of PostgreSQL count as one service, and not each of them as much as a whole server.
 */
export class CpuGroups {
  readonly #services = parse(readFileSync(composeFile, 'utf8')).services as Record<
    string,
    { cpu_shares?: number }
  >
  readonly #folders = new Set<string>()

  static get areAvailable(): boolean {
    try {
      accessSync(path.join(root, 'cpu.shares'))
      accessSync(path.join(root, 'cgroup.procs'), constants.W_OK)
      return true
    } catch {
      return false
    }
  }

  constructor() {
    for (const folder of foldersOfEndedRuns()) removeGroup(folder)
  }

  /** One instance of a service of the file; processes that it starts later belong to its group. */
  addService(service: string, instance: string, pids: readonly number[]): void {
    const definition = this.#services[service]
    if (!definition)
      throw new Error(`${composeFile} has no service ${service}. Correct the name in the suite.`)
    this.#add(instance, pids, definition.cpu_shares ?? defaultShares)
  }

  /** A program that would run on another machine. */
  addCaller(name: string, pid: number): void {
    this.#add(name, [pid], defaultShares)
  }

  addAttacker(name: string, pid: number): void {
    this.#add(name, [pid], attackerShares)
  }

  /** Its processes have ended or return to the group of all others. */
  remove(): void {
    for (const folder of this.#folders) removeGroup(folder)
    this.#folders.clear()
  }

  #add(name: string, pids: readonly number[], shares: number): void {
    const folder = path.join(root, `${prefix}${process.pid}_${name}`)
    if (!this.#folders.has(folder)) {
      mkdirSync(folder)
      this.#folders.add(folder)
      writeFileSync(path.join(folder, 'cpu.shares'), String(shares))
    }
    for (const pid of pids) move(pid, folder)
  }
}

function foldersOfEndedRuns(): string[] {
  return readdirSync(root)
    .filter((name) => name.startsWith(prefix) && !existsSync(`/proc/${name.split('_')[1]}`))
    .map((name) => path.join(root, name))
}

function removeGroup(folder: string): void {
  // A process may start another one while they are moved.
  for (let pids = processesIn(folder); pids.length > 0; pids = processesIn(folder))
    for (const pid of pids) move(pid, root)
  rmdirSync(folder)
}

function processesIn(folder: string): number[] {
  return readFileSync(path.join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number)
}

function move(pid: number, folder: string): void {
  try {
    writeFileSync(path.join(folder, 'cgroup.procs'), String(pid))
  } catch (error) {
    // A process that has ended in between.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
