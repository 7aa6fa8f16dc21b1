import type { RateCurve } from './rate-curve.ts'
import { signals } from './signals.ts'
import type { View } from './view.types.ts'

/** Above it an access point gives its clients less than they ask for. */
const saturated = 0.95
/** Of a mean that follows the demand of a client. */
const weight = 1 / 15
/** While a client gets less than it asks for, its demand is unknown: it may have grown by this part a second, up to a limit. */
const growth = 0.01
const maxMbps = 25
const startMbps = 5
/** A drop within a second that no walk causes. */
const dropDb = 10
/** Blockages of light before any was observed: one in five minutes, which counts as much as ten minutes of observation. */
const assumedS = 300
const assumedWeightS = 600

/** What is remembered of each client from second to second. */
export class ClientMemory {
  /** Estimated demand in Mbit/s. */
  readonly demand: Float64Array
  /** Mean of what it received lately. */
  readonly recent: Float64Array
  /** The access point before the current one, and since when it is at the current one. */
  readonly previous: Int32Array
  readonly movedS: Int32Array
  /** Its light went out within this second. */
  readonly isBlocked: Uint8Array
  readonly #accessPoint: Int32Array
  readonly #signal: Float64Array
  /** Seconds with light, and times at which it went out. */
  readonly #lightS: Float64Array
  readonly #blockages: Float64Array

  constructor(clients: number) {
    this.demand = new Float64Array(clients).fill(startMbps)
    this.recent = new Float64Array(clients).fill(startMbps)
    this.previous = new Int32Array(clients).fill(-1)
    this.movedS = new Int32Array(clients)
    this.isBlocked = new Uint8Array(clients)
    this.#accessPoint = new Int32Array(clients).fill(-1)
    this.#signal = new Float64Array(clients)
    this.#lightS = new Float64Array(clients)
    this.#blockages = new Float64Array(clients)
  }

  update({ s, accessPoints, clients }: View, rates: RateCurve): void {
    clients.forEach((one, client) => {
      this.isBlocked[client] = 0
      const before = this.#accessPoint[client] as number
      if (one.accessPoint !== before) {
        if (one.accessPoint >= 0) this.previous[client] = before
        this.movedS[client] = s
        this.#accessPoint[client] = one.accessPoint
      }
      const serving = accessPoints[one.accessPoint]
      if (!serving) return
      if (one.rateMbps > 0) rates.learn(serving.technology, one.signal, one.rateMbps)
      this.#updateDemand(client, one.deliveredMbps, serving.load)
      if (serving.technology === 'LiFi' && one.accessPoint === before) {
        const isLost = one.signal < signals.LiFi.min && (this.#signal[client] as number) > one.signal + dropDb
        this.#lightS[client] = (this.#lightS[client] as number) + 1
        // Those of obstacles have their own forecast.
        if (isLost && !serving.isBlocked) this.#blockages[client] = (this.#blockages[client] as number) + 1
        if (isLost) this.isBlocked[client] = 1
      }
      this.#signal[client] = one.signal
    })
  }

  /** Blockages a second that are to be expected while it uses light. */
  blockageRate(client: number): number {
    return (
      ((this.#blockages[client] as number) + assumedWeightS / assumedS) /
      ((this.#lightS[client] as number) + assumedWeightS)
    )
  }

  #updateDemand(client: number, delivered: number, load: number): void {
    const demand = this.demand[client] as number
    this.recent[client] =
      (this.recent[client] as number) + weight * (delivered - (this.recent[client] as number))
    if (load < saturated) this.demand[client] = demand + weight * (delivered - demand)
    else this.demand[client] = Math.max(delivered, Math.min(maxMbps, demand * (1 + growth)))
  }
}
