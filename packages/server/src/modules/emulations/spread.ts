import { createHash } from 'node:crypto'
import type { Position } from './locations.ts'

/** How far apart access points of a kind usually are, in metres: a cell, a floor, a room. */
const usual: Record<string, number> = { '5G': 300, WiFi: 40, LiFi: 8 }
const metresADegree = 111_320

/** Access points around a location: evenly over a disc that grows with their number. The same seed gives the same places. */
export class Spread {
  readonly #metres: number
  readonly #turn: number

  constructor(options: { technology: string; seed: string; spreadM: number | undefined }) {
    this.#metres = options.spreadM ?? usual[options.technology] ?? 50
    this.#turn = createHash('sha256').update(options.seed).digest().readUInt32LE(0) / 2 ** 32
  }

  /** Where the nth of a location is; the first exactly there. */
  position(at: Position, n: number): Position {
    if (n === 0 || this.#metres === 0) return at
    // A sunflower: equal area for each, turned by the seed.
    const angle = 2 * Math.PI * (this.#turn + n * 0.381_966)
    const distanceM = this.#metres * Math.sqrt(n)
    const latitude = at.latitude + (distanceM * Math.cos(angle)) / metresADegree
    const across = Math.max(0.01, Math.cos((at.latitude * Math.PI) / 180)) * metresADegree
    const longitude = at.longitude + (distanceM * Math.sin(angle)) / across
    return {
      latitude: round(Math.max(-90, Math.min(90, latitude))),
      longitude: round(longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude),
    }
  }
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
