import { type TrafficKind, trafficKinds } from '@manc/contract'
import { insideLossDb } from '../radio/five-g.ts'
import { bursts, hashOf, mix, unit } from '../radio/random.ts'
import { placeOf } from '../radio/walk.ts'
import type { AccessPoint } from './access-point.ts'
import { Grid } from './grid.ts'
import { Members, placeOfMember } from './members.ts'
import {
  burstS,
  defaultMix,
  demandFactors,
  fiveG,
  maxClients,
  maxPlaces,
  mobilities,
  radioChances,
  refusing,
  staysS,
  traffic,
  walkM,
} from './parameters.ts'
import type { MemberSpec } from './types.ts'

/** Part of the clients of a 5G cell that are in a building. Those of WiFi and LiFi always are. */
const insidePart = 0.4

/**
 * The clients of a world: who they are, whether they are there, where they are and what they want. All of it is a function of
 * the seed and the second, so that a world can begin at any second. Each client has its place around an access point.
 */
export class ClientStates {
  readonly count: number
  readonly home: Int32Array
  readonly seed: Int32Array
  /** Devices that this client stands for: more than one where the world has more devices than it may have clients. */
  readonly size: Float64Array
  /** Bits in the order of technologies. */
  readonly radios: Uint8Array
  readonly kind: Uint8Array
  readonly insideDb: Float64Array
  readonly refuses: Uint8Array

  /** 1 where it is known what a client hears and asks for. */
  readonly isMember: Uint8Array
  /** What these hear at their places. */
  readonly heard = new Map<number, MemberSpec['heard']>()
  readonly #members: Members

  /** How many of its devices are there. */
  readonly present: Float64Array
  readonly x: Float64Array
  readonly y: Float64Array
  readonly floor: Int16Array
  readonly isMoving: Uint8Array
  /** Its position changed with this second. */
  readonly hasMoved: Uint8Array
  readonly #accessPoints: readonly AccessPoint[]
  readonly #xs: Float64Array
  readonly #ys: Float64Array
  /** The places to which clients of an access point walk: other access points. */
  readonly #places: readonly Int32Array[]
  /** Of the current leg: its begin, its end, start, displacement, and the part of its time that is walked. */
  readonly #legs: Float64Array
  readonly #floors: Int16Array
  readonly #legS: Float64Array
  readonly #roams: Float64Array

  constructor(accessPoints: readonly AccessPoint[], xs: Float64Array, ys: Float64Array) {
    this.#accessPoints = accessPoints
    this.#xs = xs
    this.#ys = ys
    const counts = clientCounts(accessPoints.map(({ spec }) => spec.devices))
    const count = counts.reduce((sum, each) => sum + each, 0)
    this.count = count
    this.home = new Int32Array(count)
    this.seed = new Int32Array(count)
    this.size = new Float64Array(count)
    this.radios = new Uint8Array(count)
    this.kind = new Uint8Array(count)
    this.insideDb = new Float64Array(count)
    this.refuses = new Uint8Array(count)
    this.present = new Float64Array(count)
    this.x = new Float64Array(count)
    this.y = new Float64Array(count)
    this.floor = new Int16Array(count)
    this.isMoving = new Uint8Array(count)
    this.hasMoved = new Uint8Array(count)
    this.isMember = new Uint8Array(count)
    this.#legs = new Float64Array(count * legValues).fill(Number.NaN)
    this.#floors = new Int16Array(count * 2)
    this.#legS = new Float64Array(count)
    this.#roams = new Float64Array(count)
    this.#members = new Members(accessPoints)
    const grid = new Grid(walkM, xs, ys, [...accessPoints.keys()])
    this.#places = accessPoints.map((accessPoint) => this.#placesAround(accessPoint, grid))
    let client = 0
    accessPoints.forEach((accessPoint, index) => {
      for (let n = 0; n < (counts[index] as number); n++)
        this.#add(client++, accessPoint, n, counts[index] as number)
    })
  }

  /** Presence and position in this second. */
  update(client: number, s: number): void {
    const seed = this.seed[client] as number
    const home = this.#accessPoints[this.home[client] as number] as AccessPoint
    if (this.isMember[client] === 1) return this.#updateMember(client, home, s)
    // Rounded up or down at random: one device is there or not, a large group is close to its expectation.
    const chance = unit(mix(seed, Math.floor(s / staysS + unit(seed)), 8))
    this.present[client] =
      s < home.spec.durationS ? Math.floor((this.size[client] as number) * home.scene.people + chance) : 0
    const at = client * legValues
    const legs = this.#legs
    if (!(s < (legs[at + 1] as number) && s >= (legs[at] as number))) this.#beginLeg(client, s)
    else if (this.isMoving[client] === 0) {
      this.hasMoved[client] = 0
      return
    }
    const begin = legs[at] as number
    const end = legs[at + 1] as number
    const gone = Math.min(1, (s - begin) / (end - begin) / (legs[at + 6] as number))
    this.x[client] = (legs[at + 2] as number) + (legs[at + 4] as number) * gone
    this.y[client] = (legs[at + 3] as number) + (legs[at + 5] as number) * gone
    this.floor[client] = this.#floors[client * 2 + (gone < 0.5 ? 0 : 1)] as number
    this.isMoving[client] = gone < 1 ? 1 : 0
    this.hasMoved[client] = 1
  }

  /** Demand of its present devices in Mbit/s. */
  demandOf(client: number, s: number): number {
    const kind = traffic[trafficKinds[this.kind[client] as number] as TrafficKind]
    const home = this.#accessPoints[this.home[client] as number] as AccessPoint
    const count = this.present[client] as number
    const member = this.isMember[client] === 1 ? this.#members.of(client)?.spec : undefined
    const mean = member
      ? count * member.mbps
      : count * kind.mbps * (demandFactors[home.technology] as number) * home.scene.demand
    // The means of members differ as much as those of periods do: bursts would add to it.
    if (member || !kind.isBursty) return mean
    const seed = this.seed[client] as number
    return mean * (1 + (bursts(seed, s / burstS + unit(seed)) - 1) / Math.sqrt(count))
  }

  #add(client: number, home: AccessPoint, n: number, of: number): void {
    const { spec, technology, radio } = home
    const seed = mix(home.seed, n, 4)
    const mobility = mobilities[spec.mobility ?? 'mixed']
    this.home[client] = home.index
    this.seed[client] = seed
    this.size[client] = Math.floor((spec.devices + n) / of)
    this.kind[client] = kindOf(spec.mix ?? defaultMix, unit(mix(seed, 9)))
    radioChances[technology]?.forEach((chance, radioOf) => {
      if (unit(mix(seed, 10, radioOf)) < chance)
        this.radios[client] = (this.radios[client] as number) | (1 << radioOf)
    })
    this.insideDb[client] = insideLossDb(seed, technology !== fiveG || unit(mix(seed, 3)) < insidePart)
    this.refuses[client] = unit(mix(seed, 13)) < refusing ? 1 : 0
    this.#legS[client] = radio.traits.ground.legS * mobility.legs
    this.#roams[client] = mobility.roams
    const member = spec.members?.[n]
    if (!member) return
    this.isMember[client] = 1
    this.#members.add(client, home, member, seed)
    this.radios[client] = this.#members.of(client)?.radios ?? 0
  }

  /** It sits for a leg, and then takes the place of another client. */
  #updateMember(client: number, home: AccessPoint, s: number): void {
    const seed = this.seed[client] as number
    this.present[client] = s < home.spec.durationS ? 1 : 0
    const leg = Math.floor(s / (this.#legS[client] as number) + unit(seed))
    const at = client * legValues
    this.hasMoved[client] = this.#legs[at] === leg ? 0 : 1
    if (this.hasMoved[client] === 0) return
    this.#legs[at] = leg
    const heard =
      leg === 0
        ? (this.#members.of(client)?.spec.heard ?? [])
        : this.#members.heardAt(client, this.#placesFor(client, leg), unit(mix(seed, leg, 1)))
    this.heard.set(client, heard)
    const world = { accessPoints: this.#accessPoints, xs: this.#xs, ys: this.#ys }
    const { x, y } = placeOfMember(heard, home, world)
    this.x[client] = x
    this.y[client] = y
    this.floor[client] = home.floor
  }

  /** A member that walks farther takes any place around: crowded ones stay as crowded as they are. */
  #placesFor(client: number, leg: number): number[] {
    const home = this.home[client] as number
    const isAway = unit(mix(this.seed[client] as number, leg, 11)) < (this.#roams[client] as number)
    return isAway ? [home, ...(this.#places[home] as Int32Array)] : [home]
  }

  /** Clients of which it is known what they hear, with the access points that they are attached to at the begin. */
  forEachMember(each: (client: number, home: number) => void): void {
    for (let client = 0; client < this.count; client++)
      if (this.isMember[client] === 1) each(client, this.home[client] as number)
  }

  /** As `Walkers` of an isolated cell, but some legs end around other access points. */
  #beginLeg(client: number, s: number): void {
    const seed = this.seed[client] as number
    const legS = this.#legS[client] as number
    const leg = Math.floor(s / legS + unit(seed))
    const { slowestMps, fastestMps } = (this.#accessPoints[this.home[client] as number] as AccessPoint).radio
      .traits.ground
    const from = this.#placeOf(client, leg)
    const to = this.#placeOf(client, leg + 1)
    const dx = to.x - from.x
    const dy = to.y - from.y
    const speed = slowestMps + (fastestMps - slowestMps) * unit(mix(seed, leg, 2))
    const walkedS = Math.min(legS, Math.hypot(dx, dy) / speed)
    const begin = (leg - unit(seed)) * legS
    this.#legs.set(
      [begin, begin + legS, from.x, from.y, dx, dy, Math.max(walkedS / legS, 1e-9)],
      client * legValues,
    )
    this.#floors[client * 2] = from.floor
    this.#floors[client * 2 + 1] = to.floor
  }

  #placeOf(client: number, leg: number): { x: number; y: number; floor: number } {
    const at = this.#placeFor(client, leg)
    const { radio, floor } = this.#accessPoints[at] as AccessPoint
    const { x, y } = placeOf(mix(this.seed[client] as number, leg, 1), radio.traits.ground.radiusM)
    return { x: (this.#xs[at] as number) + x, y: (this.#ys[at] as number) + y, floor }
  }

  /** The access point around which a leg ends: usually its own. */
  #placeFor(client: number, leg: number): number {
    const seed = this.seed[client] as number
    const home = this.home[client] as number
    const others = this.#places[home] as Int32Array
    const isAway = others.length > 0 && unit(mix(seed, leg, 11)) < (this.#roams[client] as number)
    return isAway ? (others[Math.floor(unit(mix(seed, leg, 12)) * others.length)] as number) : home
  }

  #placesAround({ index }: AccessPoint, grid: Grid): Int32Array {
    const found = new Int32Array(maxPlaces + 1)
    grid.nearest(this.#xs[index] as number, this.#ys[index] as number, found, 0, found.length)
    return found.filter((other) => other >= 0 && other !== index).slice(0, maxPlaces)
  }
}

const legValues = 7

/** One client for each device, or fewer for each access point where there would be too many. */
function clientCounts(devices: readonly number[]): number[] {
  const total = devices.reduce((sum, each) => sum + each, 0)
  if (total <= maxClients) return [...devices]
  const share = (maxClients - devices.length) / total
  return devices.map((each) => (each === 0 ? 0 : 1 + Math.floor((each - 1) * share)))
}

function kindOf(shares: Partial<Record<TrafficKind, number>>, chance: number): number {
  const weights = trafficKinds.map((kind) => shares[kind] ?? 0)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let left = chance * total
  for (const [kind, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return kind
  }
  return 0
}

/** The seed of a world, from its text. */
export const seedOf = (seed: string): number => hashOf(seed)
