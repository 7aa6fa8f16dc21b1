import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Line, type Page, type Panel, svgOf } from './chart.ts'
import { Cell, type Scenario, scenarios, type Technology, technologies } from './src/radio/index.ts'

/** Writes docs/plots: an ordinary Tuesday of each technology, and an hour of each scenario. */
const folder = join(import.meta.dirname, '../../docs/plots')
const tuesday = Date.UTC(2026, 2, 10)
const munich = { latitude: 48.15, longitude: 11.58 }
const devicesOf = { '5G': 80, WiFi: 30, LiFi: 6 }
const colours = { '5G': '#2f6db3', WiFi: '#c25a1b', LiFi: '#8a6d00' }
const second = '#3c8d5a'
const third = '#9b3f8f'

type Samples = readonly (Record<string, number> | undefined)[]

function series(
  technology: Technology,
  scenario: Scenario,
  startMs: number,
  durationS: number,
  stepS: number,
): Samples {
  const cell = new Cell({
    ...munich,
    technology,
    scenario,
    seed: 'plot',
    devices: devicesOf[technology],
    startMs,
    durationS,
  })
  return Array.from({ length: durationS / stepS + 1 }, (_, n) => cell.sampleAt(startMs + n * stepS * 1000))
}

function line(samples: Samples, metric: string, colour: string, name = metric): Line {
  return { name, colour, values: samples.map((sample) => sample?.[metric]) }
}

const signals: Record<Technology, (samples: Samples) => Panel[]> = {
  '5G': (samples) => [
    { title: 'Signal', unit: 'dBm', lines: [line(samples, 'rsrp_dbm', colours['5G'])] },
    {
      title: 'Quality of the radio',
      unit: 'dB',
      lines: [line(samples, 'sinr_db', second), line(samples, 'rsrq_db', third)],
    },
  ],
  WiFi: (samples) => [
    {
      title: 'Signal and noise',
      unit: 'dBm',
      lines: [line(samples, 'rssi_dbm', colours.WiFi), line(samples, 'noise_dbm', third)],
    },
    {
      title: 'The air',
      unit: '%',
      least: 0,
      lines: [
        line(samples, 'channel_utilisation_pct', second),
        line(samples, 'airtime_pct', colours.WiFi),
        line(samples, 'retry_rate_pct', third),
      ],
    },
  ],
  LiFi: (samples) => [
    { title: 'Signal to noise', unit: 'dB', lines: [line(samples, 'snr_db', colours.LiFi)] },
    {
      title: 'Light on the desk',
      unit: 'lx',
      least: 0,
      lines: [line(samples, 'illuminance_lux', second), line(samples, 'ambient_light_lux', third)],
    },
  ],
}

function dayOf(technology: Technology): Page {
  const samples = series(technology, 'daily', midnight(), 86_400, 120)
  const colour = colours[technology]
  const zero = { least: 0 }
  return {
    title: `${technology}: a Tuesday in Munich`,
    subtitle: `${devicesOf[technology]} devices, one sample every 2 minutes, local solar time`,
    columns: 2,
    times: ['0', '3', '6', '9', '12', '15', '18', '21', '24 h'],
    panels: [
      { title: 'Clients', unit: 'devices', ...zero, lines: [line(samples, 'clients', colour)] },
      { title: 'Throughput', unit: 'Mbit/s', ...zero, lines: [line(samples, 'throughput_mbps', colour)] },
      { title: 'Load', unit: '%', ...zero, most: 100, lines: [line(samples, 'load_pct', colour)] },
      { title: 'Latency', unit: 'ms', ...zero, lines: [line(samples, 'latency_ms', colour)] },
      ...signals[technology](samples),
      {
        title: 'Signal quality',
        unit: '0 to 1',
        ...zero,
        most: 1,
        lines: [line(samples, 'signal_quality', colour)],
      },
      { title: 'Power', unit: 'W', lines: [line(samples, 'power_w', colour)] },
    ],
  }
}

function hourOf(scenario: Scenario): Page {
  const all = technologies.map((technology) => ({
    technology,
    samples: series(technology, scenario, tuesday + 9 * 3_600_000, 3600, 10),
  }))
  const row = (title: string, unit: string, metric: string, most?: number): Panel[] =>
    all.map(({ technology, samples }) => ({
      title: `${technology}: ${title}`,
      unit,
      least: 0,
      ...(most !== undefined && { most }),
      lines: [line(samples, metric, colours[technology])],
    }))
  return {
    title: `Scenario ${scenario}`,
    subtitle: `An hour; ${technologies.map((name) => `${name} with ${devicesOf[name]} devices`).join(', ')}; a sample every 10 s`,
    columns: 3,
    times: ['0', '15', '30', '45', '60 min'],
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

/** By the sun over Munich, which is what the rhythm goes by. */
function midnight(): number {
  return tuesday - (munich.longitude / 360) * 86_400_000
}

mkdirSync(folder, { recursive: true })
for (const technology of technologies)
  writeFileSync(join(folder, `day-${technology.toLowerCase()}.svg`), svgOf(dayOf(technology)))
// Daily has its pages already.
for (const scenario of scenarios.filter((name) => name !== 'daily'))
  writeFileSync(join(folder, `scenario-${scenario.replaceAll('_', '-')}.svg`), svgOf(hourOf(scenario)))
