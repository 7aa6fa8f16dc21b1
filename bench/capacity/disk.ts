import { measurementOf } from '@manc/contract'
import { technologies } from '@manc/emulator/radio'
import { World } from '@manc/emulator/world'
import { type BenchEnvironment, createBenchEnvironment } from '../environment.ts'
import { databaseKib, register } from '../growth/register.ts'
import { storeSize } from '../store-size.ts'
import { metricNames, sampleText } from '../sustained/sample-text.ts'

const dayMs = 86_400_000
const intervalMs = 10_000
const perTechnology = 3
/** With one sample each, for the size of the index. */
const otherAgents = 5000
const samplesPerWrite = 5000
const registered = 20_000

/** Bytes on disk: of points that emulated access points send in a day, of series, and of registered agents. */
export async function measureDisk(log: (line: string) => void) {
  const environment = await createBenchEnvironment(log)
  try {
    const now = Date.now()
    log(`writing ${technologies.length * perTechnology} access points for a day, one sample in 10 s …`)
    for (const lines of dayOf(now - dayMs).values()) await write(environment, lines)
    const day = await storeSize(environment.engines.urls.victoria)
    log(`writing ${otherAgents} agents with one sample …`)
    const others = Array.from({ length: otherAgents }, (_, n) => {
      const { ts, payload } = JSON.parse(sampleText(now, n, 0, metricNames.length))
      return lineOf(`other-${n}`, ts, payload)
    })
    await write(environment, others)
    const all = await storeSize(environment.engines.urls.victoria)
    await register(environment, registered, log)
    return {
      victoria_bytes_per_point: day.dataBytes / day.points,
      victoria_bytes_per_series: (all.indexBytes - day.indexBytes) / (otherAgents * metricNames.length),
      postgres_kib_per_agent: await databaseKib(environment, registered),
    }
  } finally {
    await environment.end()
  }
}

/** Samples of emulated access points: their sizes on disk are those of measurements, which random numbers have not. */
function dayOf(startMs: number): Map<string, string[]> {
  const accessPoints = technologies.flatMap((technology) =>
    Array.from({ length: perTechnology }, (_, n) => ({
      id: `${technology}-${n}`,
      technology,
      scenario: 'daily' as const,
      seed: `disk-${n}`,
      latitude: 51.45 + n / 1000,
      longitude: -2.59,
      devices: 20,
      durationS: dayMs / 1000,
    })),
  )
  const world = new World({ accessPoints, startMs }, 'disk')
  const lines = new Map<string, string[]>(accessPoints.map(({ id }) => [id, []]))
  for (let s = 0; s < dayMs / 1000; s++) {
    world.step()
    if ((s * 1000) % intervalMs > 0) continue
    for (const [id, ofOne] of lines) {
      const sample = world.sampleOf(id)
      if (sample) ofOne.push(lineOf(id, startMs + s * 1000, sample))
    }
  }
  return lines
}

async function write({ engines }: BenchEnvironment, lines: readonly string[]): Promise<void> {
  for (let from = 0; from < lines.length; from += samplesPerWrite) {
    const response = await fetch(`${engines.urls.victoria}/write?precision=ms`, {
      method: 'POST',
      body: lines.slice(from, from + samplesPerWrite).join(''),
    })
    if (!response.ok) throw new Error(`the store answers ${response.status}: ${await response.text()}`)
    await response.text()
  }
}

/** As the ingester writes a sample. */
function lineOf(apId: string, ts: number, payload: Record<string, number>): string {
  const fields = Object.entries(payload).map(([name, value]) => `${name}=${value}`)
  return `${measurementOf(apId)},ap_id=${apId} ${fields.join(',')} ${ts}\n`
}
