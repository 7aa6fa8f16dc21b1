import { type Scenario, technologies } from '@manc/emulator/radio'
import type { Page, Panel } from './page.types.ts'
import { colours, deviceCounts, lineOf, networkText, samplesOf, tuesday } from './samples.ts'

const nineOClock = tuesday + 9 * 3_600_000

/** One hour of a scenario: a column for each technology, a row for each metric. */
export function scenarioPage(scenario: Scenario): Page {
  const samplesByTechnology = samplesOf(scenario, { startMs: nineOClock, durationS: 3600, stepS: 10 })
  const columns = technologies.map((technology) => ({ technology, samples: samplesByTechnology[technology] }))
  const row = (title: string, unit: string, metric: string, fullScale?: number): Panel[] =>
    columns.map(({ technology, samples }) => ({
      title: `${technology}: ${title}`,
      unit,
      fromZero: true,
      ...(fullScale !== undefined && { fullScale }),
      lines: [lineOf(samples, metric, colours[technology])],
    }))
  const devices = technologies.map((technology) => `${technology} with ${deviceCounts[technology]}`)
  return {
    title: `Scenario ${scenario}`,
    subtitle: `One hour of one access point of each technology, of ${networkText}; devices around it: ${devices.join(', ')}; one sample every 10 s`,
    columns: columns.length,
    time: { unit: 'min', length: 60, tickInterval: 15 },
    panels: [
      ...row('clients', 'devices', 'clients'),
      ...row('throughput', 'Mbit/s', 'throughput_mbps'),
      ...row('load', '%', 'load_pct', 100),
      ...row('latency', 'ms', 'latency_ms'),
      ...row('packet loss', '%', 'packet_loss_pct', 1),
      ...row('signal quality', '0 to 1', 'signal_quality', 1),
      ...row('power', 'W', 'power_w'),
    ],
  }
}
