import { readdir, readFile } from 'node:fs/promises'
import type { Source } from '../source.ts'

const folder = '/sys/class/thermal'

/** The hottest zone, from texts in thousandths of a degree; undefined if none can be read. */
export function hottest(texts: readonly string[]): number | undefined {
  const degrees = texts
    .map((text) => Number.parseInt(text, 10) / 1000)
    .filter((value) => Number.isFinite(value))
  return degrees.length > 0 ? Math.round(Math.max(...degrees) * 10) / 10 : undefined
}

async function readHottest(): Promise<number | undefined> {
  const names = await readdir(folder).catch(() => [])
  const zones = names.filter((name) => name.startsWith('thermal_zone'))
  // Reading a zone fails while its sensor is off.
  return hottest(
    await Promise.all(zones.map((zone) => readFile(`${folder}/${zone}/temp`, 'utf8').catch(() => ''))),
  )
}

export const source: Source = {
  name: 'temperature',
  probe: async () => (await readHottest()) !== undefined,
  async read() {
    const degrees = await readHottest()
    return degrees === undefined ? {} : { temperature_c: degrees }
  },
}
