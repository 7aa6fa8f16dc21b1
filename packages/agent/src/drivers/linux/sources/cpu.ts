import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Source } from '../source.ts'

const file = '/proc/stat'

export interface CpuTimes {
  busy: number
  all: number
}

/** The sum over all processors, in ticks since boot. */
export function parseStat(text: string): CpuTimes {
  const numbers = /^cpu\s+(.*)$/m.exec(text)?.[1]?.trim().split(/\s+/).map(Number) ?? []
  // The last two (guest, guest_nice) are already counted in the first two.
  const all = numbers.slice(0, 8).reduce((sum, ticks) => sum + ticks, 0)
  const [, , , idle = 0, ioWait = 0] = numbers
  return { busy: all - idle - ioWait, all }
}

/** 0 if no time has passed. */
export function loadPct(then: CpuTimes, now: CpuTimes): number {
  const all = now.all - then.all
  if (all <= 0) return 0
  const share = (now.busy - then.busy) / all
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10
}

let before: CpuTimes | undefined

const readTimes = async () => parseStat(await readFile(file, 'utf8'))

/** The processor load since the previous reading. It is not `load_pct`: that KPI is the load of the radio. */
export const source: Source = {
  name: 'cpu',
  async probe() {
    if (!existsSync(file)) return false
    before = await readTimes()
    return before.all > 0
  },
  async read() {
    const now = await readTimes()
    const then = before ?? now
    before = now
    return { cpu_load_pct: loadPct(then, now) }
  },
}
