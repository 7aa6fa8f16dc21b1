import type { Technology } from '@manc/contract'

/** What maps, lists and presence need of an agent's free-form configuration. */
export interface Placement {
  name: string | null
  technology: Technology
  latitude: number | null
  longitude: number | null
  /** Time between two samples, as configured. */
  intervalS: number
}

const defaultIntervalS = 10
const maxNameLength = 128

export function placementOf(configuration: Record<string, unknown>): Placement {
  const interval = numberOf(configuration['telemetry_interval_s'])
  return {
    name: nameOf(configuration['name']),
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
function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const name = value.toWellFormed().replaceAll('\0', '').trim().slice(0, maxNameLength).toWellFormed()
  return name === '' ? null : name
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
