import { AirGroups } from './air-groups.ts'
import type { ClientMemory } from './client-memory.ts'
import type { PolicyFile } from './policy-file.ts'
import type { RateCurve } from './rate-curve.ts'
import { fairLevel } from './sharing.ts'
import type { AccessPointView, View } from './view.types.ts'

/** Less than this is as bad as nothing, in Mbit/s: the utility stays finite. */
const leastMbps = 0.2
/** Seconds without connection that a blockage costs: the second in which it happens, and the move. */
const blockageCostS = 1.5

interface Change {
  client: number
  from: number
  to: number
  rate: number
}

/**
 * What each client would get at each access point it hears: access points divide their airtime max-min fair among clients that
 * need `demand / rate` of it, and WiFi on the same channel divides the air. Moves are tried here before they are proposed.
 */
export class NetworkModel {
  /** Clients of each access point. */
  readonly members: number[][]
  readonly #view: View
  readonly #memory: ClientMemory
  readonly #rates: RateCurve
  readonly #policy: PolicyFile
  readonly #air: AirGroups
  /** Rate of each client at the access point where the model has it. */
  readonly #rate: Float64Array
  readonly #at: Int32Array
  /** Airtime that the clients of an access point need. */
  readonly #needed: Float64Array
  readonly #utilities: Float64Array

  constructor(view: View, memory: ClientMemory, rates: RateCurve, policy: PolicyFile) {
    this.#view = view
    this.#memory = memory
    this.#rates = rates
    this.#policy = policy
    this.#air = new AirGroups(view.accessPoints)
    this.members = view.accessPoints.map(() => [])
    this.#rate = new Float64Array(view.clients.length)
    this.#at = new Int32Array(view.clients.length).fill(-1)
    this.#needed = new Float64Array(view.accessPoints.length)
    view.clients.forEach((one, client) => {
      const serving = view.accessPoints[one.accessPoint]
      if (!serving) return
      this.#rate[client] = one.rateMbps > 0 ? one.rateMbps : rates.rateOf(serving.technology, one.signal)
      this.#add(client, one.accessPoint)
    })
    this.#utilities = Float64Array.from(view.accessPoints, (_, index) => this.#utilityOf(index))
  }

  /** Needed airtime of what is available, unbounded. */
  loadOf(index: number): number {
    return (this.#needed[index] as number) / this.#air.capacityOf(index, this.#needed)
  }

  rateAt(index: number, signal: number): number {
    return this.#rates.rateOf((this.#view.accessPoints[index] as AccessPointView).technology, signal)
  }

  rateOf(client: number): number {
    return this.#rate[client] as number
  }

  /** Airtime that a client needs with a rate. */
  needOf(client: number, rate: number): number {
    return (this.#memory.demand[client] as number) / rate
  }

  /** Throughput of a client where the model has it. */
  throughputOf(client: number): number {
    const index = this.#at[client] as number
    const members = this.members[index] as number[]
    members.forEach((member, n) => {
      needs[n] = this.needOf(member, this.#rate[member] as number)
    })
    const level = fairLevel(needs, members.length, this.#air.capacityOf(index, this.#needed))
    return Math.min(this.#memory.demand[client] as number, level * (this.#rate[client] as number))
  }

  /** By how much the objective grows when a client moves. */
  gainOf(client: number, to: number, signal: number): number {
    const from = this.#at[client] as number
    const rate = this.rateAt(to, signal)
    const change = { client, from, to, rate }
    const needed = this.#needed
    const [before, after] = [needed[from] as number, needed[to] as number]
    needed[from] = before - this.needOf(client, this.#rate[client] as number)
    needed[to] = after + this.needOf(client, rate)
    let gain = 0
    // Others on the channels have more air, or less.
    for (const index of this.#air.withNeighbours(from))
      gain += this.#utilityOf(index, change) - (this.#utilities[index] as number)
    for (const index of this.#air.withNeighbours(to))
      if (!this.#air.areNeighbours(index, from))
        gain += this.#utilityOf(index, change) - (this.#utilities[index] as number)
    needed[from] = before
    needed[to] = after
    return gain
  }

  /** What `gainOf` has to exceed: the gain if the throughput of this client grew by the part. */
  thresholdOf(client: number, part: number): number {
    if (this.#policy.objective === 'load') return part * part
    const mbps = Math.max(leastMbps, this.throughputOf(client))
    return part * mbps ** (1 - this.#policy.fairness)
  }

  move(client: number, to: number, signal: number): void {
    const from = this.#at[client] as number
    const members = this.members[from] as number[]
    members.splice(members.indexOf(client), 1)
    this.#needed[from] = (this.#needed[from] as number) - this.needOf(client, this.#rate[client] as number)
    this.#rate[client] = this.rateAt(to, signal)
    this.#add(client, to)
    for (const changed of [from, to])
      for (const index of this.#air.withNeighbours(changed)) this.#utilities[index] = this.#utilityOf(index)
  }

  #add(client: number, to: number): void {
    this.members[to]?.push(client)
    this.#at[client] = to
    this.#needed[to] = (this.#needed[to] as number) + this.needOf(client, this.#rate[client] as number)
  }

  /** Of an access point as it is, or with a client that comes or goes. */
  #utilityOf(index: number, change?: Change): number {
    const capacity = this.#air.capacityOf(index, this.#needed)
    if (this.#policy.objective === 'load') return -(((this.#needed[index] as number) / capacity) ** 2)
    let count = 0
    for (const client of this.members[index] as number[]) {
      if (client === change?.client) continue
      scratch[count] = client
      needs[count] = this.needOf(client, this.#rate[client] as number)
      count += 1
    }
    if (change?.to === index) {
      scratch[count] = change.client
      needs[count] = this.needOf(change.client, change.rate)
      count += 1
    }
    const level = fairLevel(needs, count, capacity)
    const { technology } = this.#view.accessPoints[index] as AccessPointView
    const preference = this.#policy.preference[technology]
    let sum = 0
    for (let n = 0; n < count; n++) {
      const client = scratch[n] as number
      const demand = this.#memory.demand[client] as number
      const mbps = demand * Math.min(1, level / (needs[n] as number)) * preference
      const risk = technology === 'LiFi' ? this.#riskOf(client) : 0
      sum += fairUtility(Math.max(leastMbps, mbps * (1 - risk)), this.#policy.fairness)
    }
    return sum
  }

  /** The part of the throughput that blockages of light are worth. */
  #riskOf(client: number): number {
    return Math.min(0.9, this.#memory.blockageRate(client) * blockageCostS * this.#policy.outage_aversion)
  }
}

/** Alpha-fairness (Mo and Walrand 2000). */
function fairUtility(mbps: number, alpha: number): number {
  if (alpha === 2) return -1 / mbps
  return alpha === 1 ? Math.log(mbps) : mbps ** (1 - alpha) / (1 - alpha)
}

// Used within one call, to avoid allocations. More clients than these are not attached to one access point.
const needs = new Float64Array(20_000)
const scratch = new Int32Array(20_000)
