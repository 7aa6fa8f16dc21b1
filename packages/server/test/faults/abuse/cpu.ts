import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of `/proc/<pid>/stat` per second, on every Linux. */
const ticksPerSecond = 100
const engines: Record<string, string> = {
  postgres: 'postgresql',
  'beam.smp': 'rabbitmq',
  'victoria-metric': 'victoriametrics',
}

/** CPU seconds of each running process, by its id. */
export type CpuTimes = Map<number, { name: string; seconds: number }>

/** `names`: of processes, by their id. An engine is known by its program; every other process is a load generator. */
export function readCpuTimes(names: ReadonlyMap<number, string>): CpuTimes {
  const times: CpuTimes = new Map()
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    if (!Number.isInteger(pid)) continue
    const stat = statOf(pid)
    if (!stat) continue
    const [, program = ''] = /\((.*)\)/.exec(stat) ?? []
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    times.set(pid, {
      name: names.get(pid) ?? engines[program] ?? 'load',
      // With its children that have ended: connections to PostgreSQL are closed and opened again.
      seconds: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond,
    })
  }
  times.set(stolenId, { name: 'stolen', seconds: stolenSeconds() })
  return times
}

/** CPU time of this machine that the hypervisor gave to others: not an id of a process. */
const stolenId = -1

function stolenSeconds(): number {
  const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/)
  return Number(fields[7]) / ticksPerSecond
}

/** CPU time of each part, in percent of one core. The time of a process that has ended is in that of its parent. */
export function cpuBetween(before: CpuTimes, after: CpuTimes, seconds: number): Record<string, number> {
  const [earlier, later] = [secondsByName(before), secondsByName(after)]
  return Object.fromEntries(
    [...later].map(([name, used]) => [name, Math.round(((used - (earlier.get(name) ?? 0)) / seconds) * 100)]),
  )
}

function secondsByName(times: CpuTimes): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { name, seconds } of times.values()) sums.set(name, (sums.get(name) ?? 0) + seconds)
  return sums
}

/** Undefined: the process has ended. */
function statOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
}
