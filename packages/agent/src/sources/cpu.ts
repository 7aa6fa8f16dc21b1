import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Source } from '../source.ts'

const file = '/proc/stat'

export interface CpuTimes {
  busy: number
  all: number
}

/** Of all processors together, in ticks since the start. */
export function parseStat(text: string): CpuTimes {
  const numbers = /^cpu\s+(.*)$/m.exec(text)?.[1]?.trim().split(/\s+/).map(Number) ?? []
  // The last two, time of guests, are part of the first two.
  const all = numbers.slice(0, 8).reduce((sum, ticks) => sum + ticks, 0)
  const [, , , idle = 0, ioWait = 0] = numbers
  return { busy: all - idle - ioWait, all }
}

/** Nothing has passed, nothing is known. */
export function loadPct(then: CpuTimes, now: CpuTimes): number {
  const all = now.all - then.all
  if (all <= 0) return 0
  const share = (now.busy - then.busy) / all
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10
}

let before: CpuTimes | undefined

const look = async () => parseStat(await readFile(file, 'utf8'))

/** How busy the processors were since the reading before. */
export const source: Source = {
  name: 'cpu',
  async probe() {
    if (!existsSync(file)) return false
    before = await look()
    return before.all > 0
  },
  async read() {
    const now = await look()
    const then = before ?? now
    before = now
    return { load_pct: loadPct(then, now) }
  },
}
