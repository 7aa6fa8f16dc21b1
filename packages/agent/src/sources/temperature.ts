import { readdir, readFile } from 'node:fs/promises'
import type { Source } from '../source.ts'

const folder = '/sys/class/thermal'

/** The hottest zone, of the texts in thousandths of a degree; undefined where none can be read. */
export function hottest(texts: readonly string[]): number | undefined {
  const degrees = texts
    .map((text) => Number.parseInt(text, 10) / 1000)
    .filter((value) => Number.isFinite(value))
  return degrees.length > 0 ? Math.round(Math.max(...degrees) * 10) / 10 : undefined
}

async function look(): Promise<number | undefined> {
  const names = await readdir(folder).catch(() => [])
  const zones = names.filter((name) => name.startsWith('thermal_zone'))
  // A zone whose sensor is off refuses to be read.
  return hottest(
    await Promise.all(zones.map((zone) => readFile(`${folder}/${zone}/temp`, 'utf8').catch(() => ''))),
  )
}

export const source: Source = {
  name: 'temperature',
  probe: async () => (await look()) !== undefined,
  async read() {
    const degrees = await look()
    return degrees === undefined ? {} : { temperature_c: degrees }
  },
}
