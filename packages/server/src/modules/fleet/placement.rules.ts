import type { Technology } from '@manc/contract'

/** What maps, lists and presence need of an agent's free-form configuration. */
export interface Placement {
  name: string | null
  /** Orders names: without case, and numbers in them by value. */
  nameKey: string | null
  place: string | null
  placeKey: string | null
  version: string | null
  versionKey: string | null
  technology: Technology
  latitude: number | null
  longitude: number | null
  /** Time between two samples, as configured. */
  intervalS: number
}

const defaultIntervalS = 10
const maxTextLength = 128
const placeKeys = ['place', 'location', 'site'] as const
const versionKeys = ['software_version', 'firmware_version', 'version'] as const
/** Digits of a number in a sort key. Longer numbers are compared as texts. */
const keyDigits = 10

export function placementOf(configuration: Record<string, unknown>): Placement {
  const interval = numberOf(configuration['telemetry_interval_s'])
  const name = textOf(configuration['name'])
  const place = firstText(configuration, placeKeys)
  const version = firstText(configuration, versionKeys)
  return {
    name,
    nameKey: sortKeyOf(name),
    place,
    placeKey: sortKeyOf(place),
    version,
    versionKey: sortKeyOf(version),
    technology: technologyOf(configuration),
    ...positionOf(configuration['geolocation']),
    intervalS: interval !== null && interval >= 0.1 && interval <= 86_400 ? interval : defaultIntervalS,
  }
}

const technologyKeys = ['technology', 'access_point_type', 'access_technology', 'type'] as const

function technologyOf(configuration: Record<string, unknown>): Technology {
  for (const key of technologyKeys) {
    const value = configuration[key]
    if (typeof value !== 'string') continue
    const text = value.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
    if (/lifi|vlc/.test(text)) return 'LiFi'
    if (/wifi|wlan|80211/.test(text)) return 'WiFi'
    if (/5g|gnb/.test(text) || text === 'nr') return '5G'
  }
  return 'other'
}

/** Both coordinates or none, and within their ranges. */
function positionOf(geolocation: unknown): Pick<Placement, 'latitude' | 'longitude'> {
  const none = { latitude: null, longitude: null }
  if (typeof geolocation !== 'object' || geolocation === null) return none
  const position = geolocation as Record<string, unknown>
  const latitude = numberOf(position['latitude'] ?? position['lat'])
  const longitude = numberOf(position['longitude'] ?? position['long'] ?? position['lng'] ?? position['lon'])
  if (latitude === null || longitude === null) return none
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : none
}

/** PostgreSQL rejects U+0000 in text. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.toWellFormed().replaceAll('\0', '').trim().slice(0, maxTextLength).toWellFormed()
  return text === '' ? null : text
}

function firstText(configuration: Record<string, unknown>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = textOf(configuration[key])
    if (text !== null) return text
  }
  return null
}

/** Without case: `Hall 2` comes before `Hall 10`, and 1.9.0 before 1.10.0. */
const sortKeyOf = (text: string | null) =>
  text?.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(keyDigits, '0')) ?? null

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
