import { mix, unit } from './random.ts'

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

/** Values per cached leg: its number, start (x, y), displacement (x, y), and the part of its time that is walked. */
const cachedValues = 6

/**
 * Random waypoint (Johnson and Maltz 1996): walk straight to a random place at a random speed, wait, walk on. Every leg
 * has the same time, and the wait is what the walk leaves of it. So leg n is known without the legs before it, and the
 * mean speed cannot decay as it does in the original (Yoon, Liu and Noble 2003). A walker that would arrive late walks faster.
 */
export class Walkers {
  readonly #ground: Ground
  /** A cache of the last leg of each walker. */
  readonly #legs: Float64Array

  constructor(count: number, ground: Ground) {
    this.#ground = ground
    this.#legs = new Float64Array(count * cachedValues).fill(NaN)
  }

  locate(walker: number, device: number, s: number, position: Position): void {
    const known = this.#legs
    const at = walker * cachedValues
    const legs = s / this.#ground.legS + unit(device)
    const leg = Math.floor(legs)
    if (known[at] !== leg) this.#cache(at, device, leg)
    const gone = Math.min(1, (legs - leg) / (known[at + 5] as number))
    position.x = (known[at + 1] as number) + (known[at + 3] as number) * gone
    position.y = (known[at + 2] as number) + (known[at + 4] as number) * gone
  }

  #cache(at: number, device: number, leg: number): void {
    const { radiusM, legS, slowestMps, fastestMps } = this.#ground
    const from = placeOf(mix(device, leg, 1), radiusM)
    const to = placeOf(mix(device, leg + 1, 1), radiusM)
    const dx = to.x - from.x
    const dy = to.y - from.y
    const speed = slowestMps + (fastestMps - slowestMps) * unit(mix(device, leg, 2))
    const walkedS = Math.min(legS, Math.hypot(dx, dy) / speed)
    this.#legs.set([leg, from.x, from.y, dx, dy, walkedS / legS], at)
  }
}

/** Uniform on the disc. The radius is from the high bits of the hash, the angle from the low ones. */
export function placeOf(hash: number, radiusM: number): Position {
  const radius = radiusM * Math.sqrt(unit(hash))
  const angle = ((hash & 0xffff) / 0x1_0000) * 2 * Math.PI
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
}

/**
 * The squared distance to the nearest of six neighbours. They form a hexagon around the access point: one in the direction
 * of x and the others 60 degrees apart.
 */
export function nearestNeighbourSquared(x: number, y: number, spacingM: number): number {
  const toNearest = Math.max(
    Math.abs(x),
    Math.abs(0.5 * x + halfRoot3 * y),
    Math.abs(0.5 * x - halfRoot3 * y),
  )
  return x * x + y * y + spacingM * spacingM - 2 * spacingM * toNearest
}

export const halfRoot3 = Math.sqrt(3) / 2
