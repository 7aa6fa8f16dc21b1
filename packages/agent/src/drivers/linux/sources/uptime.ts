import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Source } from '../source.ts'

const file = '/proc/uptime'

export const source: Source = {
  name: 'uptime',
  probe: async () => existsSync(file),
  read: async () => ({ uptime_s: Math.floor(Number.parseFloat(await readFile(file, 'utf8'))) }),
}
