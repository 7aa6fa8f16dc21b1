import type { Scenario, Technology } from '@manc/emulator/radio'
import { type AccessPointSpec, World } from '@manc/emulator/world'
import type { Line } from './page.types.ts'

export type Samples = readonly (Record<string, number> | undefined)[]

export const tuesday = Date.UTC(2026, 2, 10)
export const munich = { latitude: 48.15, longitude: 11.58 }
/** As many as docs/research.md names for each technology. */
export const deviceCounts: Record<Technology, number> = { '5G': 80, WiFi: 30, LiFi: 6 }
export const colours: Record<Technology, string> = { '5G': '#2f6db3', WiFi: '#c25a1b', LiFi: '#8a6d00' }

interface Period {
  startMs: number
  durationS: number
  stepS: number
}

/** Access points of each technology, and the metres between them. */
const network: readonly (readonly [Technology, number, number])[] = [
  ['5G', 2, 250],
  ['WiFi', 4, 30],
  ['LiFi', 4, 3],
]
export const networkText = network.map(([technology, count]) => `${count} ${technology}`).join(', ')

/** Attachments depend on the last seconds only, so a day need not be computed as a whole. */
const warmUpS = 30

const metresPerDegree = 111_320

/** What the first access point of each technology measures in a network of all three. */
export function samplesOf(
  scenario: Scenario,
  { startMs, durationS, stepS }: Period,
): Record<Technology, Samples> {
  const accessPoints = network.flatMap(([technology, count, spacingM]) =>
    Array.from({ length: count }, (_, n): AccessPointSpec => {
      const angle = 2 * Math.PI * n * 0.381_966
      const degrees = (spacingM * Math.sqrt(n)) / metresPerDegree
      return {
        id: `${technology} ${n}`,
        technology,
        seed: `plot ${technology} ${n}`,
        network: 'plot',
        latitude: munich.latitude + degrees * Math.sin(angle),
        longitude:
          munich.longitude + (degrees * Math.cos(angle)) / Math.cos((munich.latitude * Math.PI) / 180),
        devices: deviceCounts[technology],
        scenario,
        durationS: durationS + 1,
      }
    }),
  )
  const worldFrom = (fromS: number) => new World({ accessPoints, startMs }, 'plot', { fromS })
  let world = worldFrom(0)
  const samples: Record<Technology, (Record<string, number> | undefined)[]> = { '5G': [], WiFi: [], LiFi: [] }
  for (let s = 0; s <= durationS; s += stepS) {
    if (s - warmUpS > world.second) world = worldFrom(s - warmUpS)
    while (world.second < s) world.step()
    for (const [technology] of network) samples[technology].push(world.sampleOf(`${technology} 0`))
  }
  return samples
}

export function lineOf(samples: Samples, metric: string, colour: string): Line {
  const values = samples.map((sample) => sample?.[metric])
  // A renamed metric would otherwise leave an empty panel.
  if (!values.some((value) => value !== undefined)) throw new Error(`No sample has the metric ${metric}.`)
  return { name: metric, colour, values }
}
