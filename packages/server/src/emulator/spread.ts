import { createHash } from 'node:crypto'

import type { Position } from './locations.ts'

/** How far apart access points of a kind usually are, in metres: a cell, a floor, a room. */
const usual: Record<string, number> = { '5G': 300, WiFi: 40, LiFi: 8 }
const metresADegree = 111_320

/**
 * Where the nth access point of a location is: the first exactly there, the others around it, evenly over a disc that grows
 * with their number. The same seed gives the same places.
 */
export function positionOf(
  at: Position,
  options: { technology: string; n: number; seed: string; spreadM: number | undefined },
): Position {
  const { technology, n, seed, spreadM = usual[technology] ?? 50 } = options
  if (n === 0 || spreadM === 0) return at
  // A sunflower: equal area for each, turned by the seed.
  const turn = createHash('sha256').update(seed).digest().readUInt32LE(0) / 2 ** 32
  const angle = 2 * Math.PI * (turn + n * 0.381_966)
  const distanceM = spreadM * Math.sqrt(n)
  const latitude = at.latitude + (distanceM * Math.cos(angle)) / metresADegree
  const across = Math.max(0.01, Math.cos((at.latitude * Math.PI) / 180)) * metresADegree
  const longitude = at.longitude + (distanceM * Math.sin(angle)) / across
  return {
    latitude: round(Math.max(-90, Math.min(90, latitude))),
    longitude: round(longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude),
  }
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
