import type { Technology } from '@manc/contract'

/** What maps, tables and the watch over silent agents need out of a free-form configuration. */
export interface Placement {
  name: string | null
  technology: Technology
  latitude: number | null
  longitude: number | null
  /** How often it means to send. */
  intervalS: number
}

const defaultIntervalS = 10
const longestName = 128

export function placementOf(configuration: Record<string, unknown>): Placement {
  const interval = numberOf(configuration['telemetry_interval_s'])
  return {
    name: nameOf(configuration['name']),
    technology: technologyOf(configuration),
    ...positionOf(configuration['geolocation']),
    intervalS: interval !== null && interval >= 0.1 && interval <= 86_400 ? interval : defaultIntervalS,
  }
}

const technologyNames = ['technology', 'access_point_type', 'access_technology', 'type'] as const

function technologyOf(configuration: Record<string, unknown>): Technology {
  for (const name of technologyNames) {
    const said = configuration[name]
    if (typeof said !== 'string') continue
    const word = said.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
    if (/lifi|vlc/.test(word)) return 'LiFi'
    if (/wifi|wlan|80211/.test(word)) return 'WiFi'
    if (/5g|gnb/.test(word) || word === 'nr') return '5G'
  }
  return 'other'
}

/** Half a position is none, and neither is one off the globe. */
function positionOf(geolocation: unknown): Pick<Placement, 'latitude' | 'longitude'> {
  const nowhere = { latitude: null, longitude: null }
  if (typeof geolocation !== 'object' || geolocation === null) return nowhere
  const place = geolocation as Record<string, unknown>
  const latitude = numberOf(place['latitude'] ?? place['lat'])
  const longitude = numberOf(place['longitude'] ?? place['long'] ?? place['lng'] ?? place['lon'])
  if (latitude === null || longitude === null) return nowhere
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : nowhere
}

/** PostgreSQL has no U+0000 in a text. */
function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const name = value.toWellFormed().replaceAll('\0', '').trim().slice(0, longestName).toWellFormed()
  return name === '' ? null : name
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
