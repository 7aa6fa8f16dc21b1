import { type Technology, technologies } from '@manc/emulator/radio'
import type { Page, Panel } from './page.types.ts'
import {
  colours,
  deviceCounts,
  lineOf,
  munich,
  networkText,
  type Samples,
  samplesOf,
  tuesday,
} from './samples.ts'

const second = '#3c8d5a'
const third = '#9b3f8f'

/** The daily scenario follows the sun, so the day starts at solar midnight in Munich. */
const solarMidnight = tuesday - (munich.longitude / 360) * 86_400_000

const radioPanels: Record<Technology, (samples: Samples) => Panel[]> = {
  '5G': (samples) => [
    { title: 'Signal', unit: 'dBm', fromZero: false, lines: [lineOf(samples, 'rsrp_dbm', colours['5G'])] },
    {
      title: 'Radio quality',
      unit: 'dB',
      fromZero: false,
      lines: [lineOf(samples, 'sinr_db', second), lineOf(samples, 'rsrq_db', third)],
    },
  ],
  WiFi: (samples) => [
    {
      title: 'Signal and noise',
      unit: 'dBm',
      fromZero: false,
      lines: [lineOf(samples, 'rssi_dbm', colours.WiFi), lineOf(samples, 'noise_dbm', third)],
    },
    {
      title: 'Channel',
      unit: '%',
      fromZero: true,
      lines: [
        lineOf(samples, 'channel_utilisation_pct', second),
        lineOf(samples, 'airtime_pct', colours.WiFi),
        lineOf(samples, 'retry_rate_pct', third),
      ],
    },
  ],
  LiFi: (samples) => [
    {
      title: 'Signal to noise',
      unit: 'dB',
      fromZero: false,
      lines: [lineOf(samples, 'snr_db', colours.LiFi)],
    },
    {
      title: 'Light',
      unit: 'lx',
      fromZero: true,
      lines: [lineOf(samples, 'illuminance_lux', second), lineOf(samples, 'ambient_light_lux', third)],
    },
  ],
}

/** An ordinary Tuesday of one access point of each technology. */
export function dayPages(): Page[] {
  const samples = samplesOf('daily', { startMs: solarMidnight, durationS: 86_400, stepS: 120 })
  return technologies.map((technology) => dayPage(technology, samples[technology]))
}

function dayPage(technology: Technology, samples: Samples): Page {
  const lines = (metric: string) => [lineOf(samples, metric, colours[technology])]
  return {
    title: `${technology}: a Tuesday in Munich`,
    subtitle: `One of ${networkText}, ${deviceCounts[technology]} devices around it, one sample every 2 minutes, local solar time`,
    columns: 2,
    time: { unit: 'h', length: 24, tickInterval: 3 },
    panels: [
      { title: 'Clients', unit: 'devices', fromZero: true, lines: lines('clients') },
      { title: 'Throughput', unit: 'Mbit/s', fromZero: true, lines: lines('throughput_mbps') },
      { title: 'Load', unit: '%', fromZero: true, fullScale: 100, lines: lines('load_pct') },
      { title: 'Latency', unit: 'ms', fromZero: true, lines: lines('latency_ms') },
      ...radioPanels[technology](samples),
      {
        title: 'Signal quality',
        unit: '0 to 1',
        fromZero: true,
        fullScale: 1,
        lines: lines('signal_quality'),
      },
      { title: 'Power', unit: 'W', fromZero: false, lines: lines('power_w') },
    ],
  }
}
