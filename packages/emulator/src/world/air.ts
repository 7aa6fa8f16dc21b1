import { airtimeOfNeighbours, bandOf, floorLossDb, indoorLossDb } from '../radio/wifi.ts'
import type { AccessPoint } from './access-point.ts'
import { Grid } from './grid.ts'
import { carrierSenseDbm, wifi } from './parameters.ts'
import { isSameAir, levelOf } from './sharing.ts'

const antennaDbi = 3
/** Nothing farther is heard, with any power and in any band. */
const maxHeardM = 190
/** Of more access points the nearest ones count. */
const maxNeighbours = 64
const minAvailable = 1e-6
const maxUsed = 1 - minAvailable

/**
 * WiFi on the same channel shares the air: an access point and those that it hears divide a second max-min fair, less what
 * networks of others take. In a group in which all hear each other the sum never exceeds the second.
 */
export class Air {
  /** By the index of a WiFi access point. */
  readonly #neighbours: ReadonlyMap<number, readonly Neighbour[]>

  constructor(accessPoints: readonly AccessPoint[], xs: Float64Array, ys: Float64Array) {
    const all = accessPoints.filter(({ technology }) => technology === wifi)
    const grid = new Grid(
      maxHeardM,
      xs,
      ys,
      all.map(({ index }) => index),
    )
    const found = new Int32Array(maxNeighbours + 1)
    this.#neighbours = new Map(
      all.map((one) => {
        const x = xs[one.index] as number
        const y = ys[one.index] as number
        grid.nearest(x, y, found, 0, found.length)
        const others = [...found].flatMap((index) => {
          const other = accessPoints[index]
          if (!other || other === one) return []
          const distanceM = Math.hypot(x - (xs[index] as number), y - (ys[index] as number))
          return [neighbourAt(other, distanceM, Math.abs(one.floor - other.floor))]
        })
        return [one.index, others]
      }),
    )
  }

  /** Sets the available part of the second, and what neighbours use of it. */
  share(accessPoint: AccessPoint): void {
    const perNeighbours = airtimeOfNeighbours(accessPoint.channel)
    const capacity = 1 - accessPoint.externalAirtime * perNeighbours
    needs[0] = accessPoint.needed
    let count = 1
    for (const neighbour of this.#neighbours.get(accessPoint.index) ?? [])
      if (neighbour.other.needed > 0 && hears(accessPoint, neighbour)) {
        needs[count] = neighbour.other.needed
        count += 1
      }
    const level = levelOf(needs, ones, [0, count], capacity)
    let others = 0
    for (let n = 1; n < count; n++) others += Math.min(needs[n] as number, level)
    accessPoint.available = Math.max(capacity - others, minAvailable)
    accessPoint.moment.neighbours = Math.min(1 - accessPoint.available, maxUsed) / perNeighbours
  }
}

interface Neighbour {
  other: AccessPoint
  /** Loss to it, in each band. */
  lowDb: number
  highDb: number
}

function neighbourAt(other: AccessPoint, distanceM: number, floors: number): Neighbour {
  const lossDb = (channel: number) => indoorLossDb(distanceM, bandOf(channel)) + floorLossDb(floors)
  return { other, lowDb: lossDb(1), highDb: lossDb(36) }
}

/** Both are on the same channel, and one arrives at the other with the power at which the air counts as busy. */
function hears(one: AccessPoint, { other, lowDb, highDb }: Neighbour): boolean {
  if (!other.isOn || !isSameAir(one.channel, other.channel)) return false
  const lossDb = one.channel <= 13 ? lowDb : highDb
  return Math.max(one.txPowerDbm, other.txPowerDbm) + 2 * antennaDbi - lossDb >= carrierSenseDbm
}

// Used within one call, to avoid allocations.
const needs = new Float64Array(maxNeighbours + 1)
const ones = new Float64Array(maxNeighbours + 1).fill(1)
