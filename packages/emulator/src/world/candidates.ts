import { commonShadow, fiveGGainDb } from '../radio/five-g.ts'
import { gainOf, gainOfSnr } from '../radio/lifi.ts'
import { fromDb } from '../radio/units.ts'
import { bandOf, indoorLossDb, wifiGainDb } from '../radio/wifi.ts'
import type { AccessPoint } from './access-point.ts'
import type { ClientStates } from './client-states.ts'
import { Grid } from './grid.ts'
import { defaultRoomM, fiveG, lifi, rangesM, slotCounts, wifi } from './parameters.ts'
import { Rooms } from './rooms.ts'
import type { MemberSpec } from './types.ts'

export const firstSlots = [0, slotCounts[0], slotCounts[0] + slotCounts[1]] as const
export const slots = slotCounts[0] + slotCounts[1] + slotCounts[2]

/**
 * The nearest access points of each technology, with their gains, for each client. Computed when a client has moved: most
 * sit most of the time. A gain is in dB, that of light is a factor.
 */
export class Candidates {
  /** Indexes of access points; -1 behind the last one of a technology. */
  readonly accessPoints: Int32Array
  readonly gains: Float64Array
  /** 1 with a line of sight. */
  readonly isClear: Uint8Array
  readonly #all: readonly AccessPoint[]
  readonly #xs: Float64Array
  readonly #ys: Float64Array
  readonly #grids: readonly (Grid | undefined)[]
  readonly #rooms: Rooms
  readonly #states: ClientStates
  readonly #seed: number

  constructor(world: {
    accessPoints: readonly AccessPoint[]
    xs: Float64Array
    ys: Float64Array
    states: ClientStates
    seed: number
  }) {
    const { accessPoints, xs, ys, states, seed } = world
    this.accessPoints = new Int32Array(states.count * slots).fill(-1)
    this.gains = new Float64Array(states.count * slots)
    this.isClear = new Uint8Array(states.count * slots)
    this.#all = accessPoints
    this.#xs = xs
    this.#ys = ys
    this.#states = states
    this.#seed = seed
    const of = (technology: number) =>
      accessPoints.filter((one) => one.technology === technology).map(({ index }) => index)
    this.#grids = [fiveG, wifi, lifi].map((technology) => {
      const members = of(technology)
      return members.length > 0 ? new Grid(rangesM[technology] as number, xs, ys, members) : undefined
    })
    const floors = accessPoints.map(({ floor }) => floor)
    const roomsM = accessPoints.map(({ spec }) => spec.roomM ?? defaultRoomM)
    this.#rooms = new Rooms(of(lifi), { xs, ys, floors, roomsM })
  }

  update(client: number): void {
    const { x, y } = this.#states
    const heard = this.#states.heard.get(client)
    if (heard) return this.#updateMember(client, heard)
    const at = client * slots
    const east = x[client] as number
    const north = y[client] as number
    for (let technology = fiveG; technology <= lifi; technology++)
      this.#grids[technology]?.nearest(
        east,
        north,
        this.accessPoints,
        at + (firstSlots[technology] as number),
        slotCounts[technology] as number,
      )
    this.#updateFiveG(client, east, north)
    this.#updateWifi(client, east, north)
    this.#updateLifi(client, east, north)
  }

  /** By what the client hears. Of access points that were off then, only their distance is known. */
  #updateMember(client: number, heard: MemberSpec['heard']): void {
    const found = heard.map(([index, signal]) => [index, this.#gainOf(index, signal)] as const)
    this.#all.forEach(({ spec }, index) => {
      if (spec.isOff) found.push([index, this.#gainAt(index, client)])
    })
    for (let technology = fiveG; technology <= lifi; technology++) {
      const from = client * slots + (firstSlots[technology] as number)
      const best = found
        .filter(([index, gain]) => this.#all[index]?.technology === technology && Number.isFinite(gain))
        .sort(([, a], [, b]) => b - a)
      for (let slot = 0; slot < (slotCounts[technology] as number); slot++) {
        const [index = -1, gain = 0] = best[slot] ?? []
        this.accessPoints[from + slot] = index
        this.gains[from + slot] = gain
        this.isClear[from + slot] = 1
      }
    }
  }

  #gainOf(index: number, signal: number): number {
    const accessPoint = this.#all[index] as AccessPoint
    const { firstPowerDbm, ambientLux } = accessPoint
    if (accessPoint.technology === fiveG) return signal - firstPowerDbm
    if (accessPoint.technology === wifi) return signal - firstPowerDbm + bandDb(accessPoint)
    return gainOfSnr(signal, fromDb(firstPowerDbm - 30), ambientLux)
  }

  /** Minus infinity where it is out of range. */
  #gainAt(index: number, client: number): number {
    const accessPoint = this.#all[index] as AccessPoint
    const x = (this.#states.x[client] as number) - (this.#xs[index] as number)
    const y = (this.#states.y[client] as number) - (this.#ys[index] as number)
    const { technology } = accessPoint
    if (Math.hypot(x, y) > (rangesM[technology] as number)) return Number.NEGATIVE_INFINITY
    if (technology === lifi) return gainOf(x * x + y * y)
    if (technology === wifi) return wifiGainDb(accessPoint, x, y, 0)
    const inside = this.#states.insideDb[client] as number
    return fiveGGainDb(accessPoint, x, y, commonShadow(this.#seed, x, y)).gainDb - inside
  }

  #updateFiveG(client: number, east: number, north: number): void {
    const from = client * slots
    if ((this.accessPoints[from] as number) < 0) return
    const common = commonShadow(this.#seed, east, north)
    const inside = this.#states.insideDb[client] as number
    for (let slot = from; slot < from + slotCounts[fiveG]; slot++) {
      const index = this.accessPoints[slot] as number
      if (index < 0) return
      const x = east - (this.#xs[index] as number)
      const y = north - (this.#ys[index] as number)
      const { gainDb, isClear } = fiveGGainDb(this.#all[index] as AccessPoint, x, y, common)
      this.gains[slot] = gainDb - inside
      this.isClear[slot] = isClear ? 1 : 0
    }
  }

  #updateWifi(client: number, east: number, north: number): void {
    const from = client * slots + firstSlots[wifi]
    const floor = this.#states.floor[client] as number
    for (let slot = from; slot < from + slotCounts[wifi]; slot++) {
      const index = this.accessPoints[slot] as number
      if (index < 0) return
      const accessPoint = this.#all[index] as AccessPoint
      const x = east - (this.#xs[index] as number)
      const y = north - (this.#ys[index] as number)
      this.gains[slot] = wifiGainDb(accessPoint, x, y, Math.abs(accessPoint.floor - floor))
    }
  }

  /** Light of other rooms and floors does not arrive. */
  #updateLifi(client: number, east: number, north: number): void {
    const from = client * slots + firstSlots[lifi]
    const floor = this.#states.floor[client] as number
    const room = this.#rooms.roomAt(this.accessPoints, from, slotCounts[lifi], { x: east, y: north, floor })
    for (let slot = from; slot < from + slotCounts[lifi]; slot++) {
      const index = this.accessPoints[slot] as number
      if (index < 0) return
      const x = east - (this.#xs[index] as number)
      const y = north - (this.#ys[index] as number)
      const isInRoom = room >= 0 && this.#rooms.roomOf(index) === room
      this.gains[slot] = isInRoom ? gainOf(x * x + y * y) : 0
      this.isClear[slot] = 1
    }
  }
}

/** What a signal gains since a command has changed the band, at a usual distance. */
function bandDb({ spec, channel }: AccessPoint): number {
  const lossDb = (of: number) => indoorLossDb(usualM, bandOf(of))
  return lossDb(spec.channel ?? channel) - lossDb(channel)
}
const usualM = 10
