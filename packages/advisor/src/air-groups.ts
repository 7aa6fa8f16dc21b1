import { fairLevel } from './sharing.ts'
import type { AccessPointView } from './view.types.ts'

/** WiFi on the same channel is heard up to here, in metres: -82 dBm by ITU-R P.1238 in an office, with the usual power. */
const heardM = 70
/** Of the airtime, for beacons and estimates that are too low. */
const headroom = 0.97
const leastCapacity = 0.05

/** Which access points share the air, and how much of it each of them has. */
export class AirGroups {
  /** The access point itself and those on its channel that it hears. */
  readonly #groups: readonly (readonly number[])[]
  /** What networks of others take of the air. */
  readonly #externalAirtime: Float64Array

  constructor(accessPoints: readonly AccessPointView[]) {
    this.#groups = accessPoints.map((one, index) => [
      index,
      ...[...accessPoints.keys()].filter(
        (at) => at !== index && sharesAir(one, accessPoints[at] as AccessPointView),
      ),
    ])
    this.#externalAirtime = Float64Array.from(accessPoints, ({ others }, index) => {
      let known = 0
      for (const at of this.#groups[index] as number[])
        if (at !== index) known += airtimeOf(accessPoints[at] as AccessPointView)
      return Math.max(0, others - known)
    })
  }

  withNeighbours(index: number): readonly number[] {
    return this.#groups[index] as readonly number[]
  }

  areNeighbours(index: number, other: number): boolean {
    return (this.#groups[other] as readonly number[]).includes(index)
  }

  /** Airtime for an access point if all need this much: those that share the air divide it max-min fair. */
  capacityOf(index: number, needed: Float64Array): number {
    const capacity = headroom * (1 - (this.#externalAirtime[index] as number))
    const group = this.#groups[index] as readonly number[]
    if (group.length === 1) return Math.max(leastCapacity, capacity)
    group.forEach((at, n) => {
      needs[n] = needed[at] as number
    })
    const level = fairLevel(needs, group.length, capacity)
    let used = 0
    for (let n = 1; n < group.length; n++) used += Math.min(level, needs[n] as number)
    return Math.max(leastCapacity, capacity - used)
  }
}

function sharesAir(one: AccessPointView, other: AccessPointView): boolean {
  if (one.technology !== 'WiFi' || other.technology !== 'WiFi' || !one.isOn || !other.isOn) return false
  return one.channel === other.channel && Math.hypot(one.x - other.x, one.y - other.y) <= heardM
}

const airtimeOf = ({ utilisation, others }: AccessPointView): number => Math.max(0, utilisation - others)

// Used within one call, to avoid allocations.
const needs = new Float64Array(1024)
