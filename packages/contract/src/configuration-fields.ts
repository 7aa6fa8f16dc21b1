import type { Technology } from './technologies.ts'

/** A setting with a known meaning in the free-form configuration of an agent. */
export interface ConfigurationField {
  /** Where it is: `geolocation.latitude`. */
  path: string
  label: string
  kind: 'text' | 'number' | 'choice'
  unit?: string
  description?: string
  maxLength?: number
  min?: number
  max?: number
  isInteger?: true
  choices?: readonly (string | number)[]
}

const common: readonly ConfigurationField[] = [
  { path: 'name', label: 'Name', kind: 'text', maxLength: 128, description: 'Shown beside the id.' },
  { path: 'technology', label: 'Technology', kind: 'choice', choices: ['5G', 'WiFi', 'LiFi'] },
  { path: 'geolocation.latitude', label: 'Latitude', kind: 'number', unit: '°', min: -90, max: 90 },
  { path: 'geolocation.longitude', label: 'Longitude', kind: 'number', unit: '°', min: -180, max: 180 },
  {
    path: 'telemetry_interval_s',
    label: 'Telemetry interval',
    kind: 'number',
    unit: 's',
    min: 0.1,
    max: 86_400,
    description: 'An access point is stale after two intervals without a sample.',
  },
]

const power = (min: number, max: number): ConfigurationField => ({
  path: 'tx_power_dbm',
  label: 'Transmit power',
  kind: 'number',
  unit: 'dBm',
  min,
  max,
})
const channel = (min: number, max: number, description: string): ConfigurationField => ({
  path: 'channel',
  label: 'Channel',
  kind: 'number',
  isInteger: true,
  min,
  max,
  description,
})
const bandwidth = (choices: readonly number[]): ConfigurationField => ({
  path: 'bandwidth_mhz',
  label: 'Bandwidth',
  kind: 'choice',
  unit: 'MHz',
  choices,
})

/**
 * Settings that most access points of a technology have. A configuration may have others: these describe a form, and nothing
 * is refused because of them.
 */
export const configurationFields: Readonly<Record<Technology, readonly ConfigurationField[]>> = {
  WiFi: [
    ...common,
    { path: 'ssid', label: 'SSID', kind: 'text', maxLength: 32 },
    channel(1, 233, 'Number of the primary channel.'),
    power(0, 36),
    // IEEE 802.11be-2024.
    bandwidth([20, 40, 80, 160, 320]),
  ],
  '5G': [
    ...common,
    // [TS 38.104, 5.4.2.1]
    channel(0, 3_279_165, 'NR-ARFCN.'),
    power(0, 60),
    // [TS 38.104, 5.3.5]
    bandwidth([5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100, 200, 400]),
  ],
  LiFi: [
    ...common,
    channel(1, 64, 'Number of the optical channel.'),
    power(0, 50),
    bandwidth([20, 40, 80, 160]),
  ],
  other: common,
}

/** Why a value is not one that the form accepts; undefined if it is, or is not set. */
export function fieldProblem(field: ConfigurationField, value: unknown): string | undefined {
  if (value === undefined) return undefined
  const { kind, choices = [], min = -Infinity, max = Infinity, maxLength = Infinity } = field
  if (kind === 'choice')
    return choices.includes(value as string | number) ? undefined : `Choose one of ${choices.join(', ')}.`
  if (kind === 'text') {
    if (typeof value !== 'string') return 'Enter a text.'
    return value.length > maxLength ? `Enter at most ${maxLength} characters.` : undefined
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'Enter a number.'
  if (field.isInteger && !Number.isInteger(value)) return 'Enter a whole number.'
  return value < min || value > max ? `Enter a number from ${min} to ${max}.` : undefined
}
