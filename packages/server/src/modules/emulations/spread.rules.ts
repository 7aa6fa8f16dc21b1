import { createHash } from 'node:crypto'
import type { Position } from './locations.format.ts'

/** Usual distances between access points of a technology, in metres: a cell, a floor, a room. */
const defaultSpacingM: Record<string, number> = { '5G': 300, WiFi: 40, LiFi: 8 }
const metresPerDegree = 111_320

/** Positions around a location, evenly over a disc that grows with their number. The same seed gives the same positions. */
export class Spread {
  readonly #spacingM: number
  readonly #rotation: number

  constructor(options: { technology: string; seed: string; spreadM: number | undefined }) {
    this.#spacingM = options.spreadM ?? defaultSpacingM[options.technology] ?? 50
    this.#rotation = createHash('sha256').update(options.seed).digest().readUInt32LE(0) / 2 ** 32
  }

  /** The position of the nth access point; the first one is at the location itself. */
  position(centre: Position, n: number): Position {
    if (n === 0 || this.#spacingM === 0) return centre
    // A sunflower spiral: equal area for each, rotated by the seed.
    const angle = 2 * Math.PI * (this.#rotation + n * 0.381_966)
    const distanceM = this.#spacingM * Math.sqrt(n)
    const latitude = centre.latitude + (distanceM * Math.cos(angle)) / metresPerDegree
    const across = Math.max(0.01, Math.cos((centre.latitude * Math.PI) / 180)) * metresPerDegree
    const longitude = centre.longitude + (distanceM * Math.sin(angle)) / across
    return {
      latitude: round(Math.max(-90, Math.min(90, latitude))),
      longitude: round(longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude),
    }
  }
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
