import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Readings, Source } from '../source.ts'

const file = '/proc/meminfo'

/** Empty if the total is missing. */
export function parseMemInfo(text: string): Readings {
  const kib = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN)
  const total = kib('MemTotal')
  // Kernels before 3.14 have no MemAvailable.
  const available = [kib('MemAvailable'), kib('MemFree') + kib('Cached'), kib('MemFree')].find(
    Number.isFinite,
  )
  if (!(total > 0) || available === undefined) return {}
  return {
    memory_usage_pct: Math.round(((total - available) / total) * 1000) / 10,
    memory_available_mib: Math.round(available / 1024),
  }
}

export const source: Source = {
  name: 'memory',
  probe: async () => existsSync(file),
  read: async () => parseMemInfo(await readFile(file, 'utf8')),
}
