import { unit } from './random.ts'

/** Where devices walk: a disc about the access point, somewhat wider than the cell, so that some are outside. */
export interface Ground {
  radiusM: number
  /** Duration of a leg: the walk and the wait at its end. */
  legS: number
  slowestMps: number
  fastestMps: number
}

export interface Position {
  x: number
  y: number
}

/** Uniform on the disc. The radius is from the high bits of the hash, the angle from the low ones. */
export function placeOf(hash: number, radiusM: number): Position {
  const radius = radiusM * Math.sqrt(unit(hash))
  const angle = ((hash & 0xffff) / 0x1_0000) * 2 * Math.PI
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
}
