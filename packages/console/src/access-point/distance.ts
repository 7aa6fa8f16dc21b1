import type { Box, FleetAgent } from '@manc/sdk'
import { metresPerDegree } from '../fleet/area.ts'

export interface Position {
  latitude: number
  longitude: number
}

const earthRadiusM = 6_371_000
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Great-circle distance in metres. */
export function distanceM(a: Position, b: Position): number {
  const dLatitude = radians(b.latitude - a.latitude)
  const dLongitude = radians(b.longitude - a.longitude)
  const h =
    Math.sin(dLatitude / 2) ** 2 +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(dLongitude / 2) ** 2
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** A box that contains everything within a distance. It may cross the antimeridian. */
export function boxAround({ latitude, longitude }: Position, metres: number): Box {
  const heightDeg = metres / metresPerDegree
  const widthDeg = Math.min(180, heightDeg / Math.max(0.01, Math.cos(radians(latitude))))
  const normalised = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180
  return {
    south: Math.max(-90, latitude - heightDeg),
    north: Math.min(90, latitude + heightDeg),
    west: widthDeg >= 180 ? -180 : normalised(longitude - widthDeg),
    east: widthDeg >= 180 ? 180 : normalised(longitude + widthDeg),
  }
}

export interface Neighbour {
  agent: FleetAgent
  metres: number
}

/** The nearest other access points, nearest first. */
export function nearest(
  agents: readonly FleetAgent[],
  apId: string,
  position: Position,
  limit: number,
): Neighbour[] {
  return agents
    .flatMap((agent) =>
      agent.position && agent.ap_id !== apId ? [{ agent, metres: distanceM(position, agent.position) }] : [],
    )
    .sort((a, b) => a.metres - b.metres)
    .slice(0, limit)
}

export const formatDistance = (metres: number): string =>
  metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(metres < 10_000 ? 1 : 0)} km`
