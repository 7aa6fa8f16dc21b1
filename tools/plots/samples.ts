import { Cell, type Scenario, type Technology } from '@manc/emulator/radio'
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

export function samplesOf(
  technology: Technology,
  scenario: Scenario,
  { startMs, durationS, stepS }: Period,
): Samples {
  const cell = new Cell({
    ...munich,
    technology,
    scenario,
    seed: 'plot',
    devices: deviceCounts[technology],
    startMs,
    durationS,
  })
  return Array.from({ length: durationS / stepS + 1 }, (_, n) => cell.sampleAt(startMs + n * stepS * 1000))
}

export function lineOf(samples: Samples, metric: string, colour: string): Line {
  const values = samples.map((sample) => sample?.[metric])
  // A renamed metric would otherwise leave an empty panel.
  if (!values.some((value) => value !== undefined)) throw new Error(`No sample has the metric ${metric}.`)
  return { name: metric, colour, values }
}
