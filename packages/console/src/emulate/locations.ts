import { metresPerDegree } from '../fleet/area.ts'

export interface Position {
  latitude: number
  longitude: number
}

const decimal = /^(?:geo:)?\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/i

/** Parses decimal degrees and `geo:` URIs. The controller resolves names and other notations. */
export function parsePosition(text: string): Position | undefined {
  const [, latitude, longitude] = decimal.exec(text.trim()) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  const position = { latitude: Number(latitude), longitude: Number(longitude) }
  return Math.abs(position.latitude) <= 90 && Math.abs(position.longitude) <= 180 ? position : undefined
}

/** Five digits are about one metre. */
export const formatPosition = ({ latitude, longitude }: Position): string =>
  `${latitude.toFixed(5)},${longitude.toFixed(5)}`

/** Distance between access points of a technology, in metres. */
export const defaultSpreadM = { '5G': 300, WiFi: 40, LiFi: 8 } as const
const goldenAngleTurns = 0.381_966

/** The nth access point of a location. The same algorithm as in the controller: evenly over a disc that grows with their number. */
export function spreadAround(
  position: Position,
  technology: keyof typeof defaultSpreadM,
  n: number,
  spreadM: number = defaultSpreadM[technology],
): Position {
  const angle = 2 * Math.PI * n * goldenAngleTurns
  const distanceM = spreadM * Math.sqrt(n)
  const metresPerLongitude = Math.max(0.01, Math.cos((position.latitude * Math.PI) / 180)) * metresPerDegree
  return {
    latitude: position.latitude + (distanceM * Math.cos(angle)) / metresPerDegree,
    longitude: position.longitude + (distanceM * Math.sin(angle)) / metresPerLongitude,
  }
}
