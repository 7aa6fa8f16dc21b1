export interface Position {
  latitude: number
  longitude: number
}

const decimal = /^(?:geo:)?\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/i

/** Of decimal degrees and `geo:`; the controller knows names and other ways to write. */
export function parsePosition(text: string): Position | undefined {
  const [, latitude, longitude] = decimal.exec(text.trim()) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  const at = { latitude: Number(latitude), longitude: Number(longitude) }
  return Math.abs(at.latitude) <= 90 && Math.abs(at.longitude) <= 180 ? at : undefined
}

/** About a metre. */
export const textOf = ({ latitude, longitude }: Position): string =>
  `${latitude.toFixed(5)},${longitude.toFixed(5)}`

/** How far apart access points of a kind usually are, in metres. */
export const defaultSpreadM = { '5G': 300, WiFi: 40, LiFi: 8 } as const
const metresPerDegree = 111_320
const golden = 0.381_966

/** The nth access point of a place, as the controller spreads them: evenly over a disc that grows with their number. */
export function spreadAround(
  at: Position,
  kind: keyof typeof defaultSpreadM,
  n: number,
  spreadM: number = defaultSpreadM[kind],
): Position {
  const angle = 2 * Math.PI * n * golden
  const distanceM = spreadM * Math.sqrt(n)
  const across = Math.max(0.01, Math.cos((at.latitude * Math.PI) / 180)) * metresPerDegree
  return {
    latitude: at.latitude + (distanceM * Math.cos(angle)) / metresPerDegree,
    longitude: at.longitude + (distanceM * Math.sin(angle)) / across,
  }
}
