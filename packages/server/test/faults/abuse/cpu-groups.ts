import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'

/** Of cgroup v1. Root may create groups there. */
const root = '/sys/fs/cgroup/cpu'
const composeFile = path.join(import.meta.dirname, '../../../../../deploy/compose/compose.yaml')
const defaultShares = 1024
/** The lowest that Linux permits. */
const attackerShares = 2

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
    return process.getuid?.() === 0 && existsSync(path.join(root, 'cpu.shares'))
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

  addAttacker(pid: number): void {
    this.#add('attackers', [pid], attackerShares)
  }

  /** Its processes have ended or return to the group of all others. */
  remove(): void {
    for (const folder of this.#folders) {
      for (const pid of readFileSync(path.join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
        move(Number(pid), root)
      rmdirSync(folder)
    }
    this.#folders.clear()
  }

  #add(name: string, pids: readonly number[], shares: number): void {
    const folder = path.join(root, `manc_${process.pid}_${name}`)
    if (!this.#folders.has(folder)) {
      mkdirSync(folder)
      this.#folders.add(folder)
      writeFileSync(path.join(folder, 'cpu.shares'), String(shares))
    }
    for (const pid of pids) move(pid, folder)
  }
}

function move(pid: number, folder: string): void {
  try {
    writeFileSync(path.join(folder, 'cgroup.procs'), String(pid))
  } catch (error) {
    // A process that has ended in between.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
