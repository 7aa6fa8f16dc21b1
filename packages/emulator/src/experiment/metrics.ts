import type { View } from '@manc/advisor'
import { percentile } from '@manc/contract/statistics'
import type { World } from '../world/index.ts'
import { Blockages } from './blockages.ts'

/** A period of counters (TS 32.401 allows 5, 15, 30 and 60 minutes): throughput of a client is its mean over one. */
const periodS = 300
const minPresentS = 60
const wantedMbps = 20
const pingPongS = 10

export interface Figures {
  mean_mbps: number
  p5_mbps: number
  /** The same of what applications asked for over the links that clients had: no policy can give more. */
  asked_p5_mbps: number
  /** Seconds of a client and hour with less than 20 Mbit/s, and less than it asked for. */
  short_s: number
  outage_s: number
  outage_predictable_s: number
  blockages: number
  predictable: number
  handovers: number
  ping_pongs: number
  /** In a day like the measured time. */
  kwh: number
  /** Part of the delivered bits. */
  lifi_part: number
  refused: number
}

/** Collects the figures of one run. It may see all of the world; policies may not. */
export class Metrics {
  #world: World | undefined
  #bits = new Float64Array()
  #askedBits = new Float64Array()
  #presentS = new Float64Array()
  readonly #throughputs: number[] = []
  readonly #asked: number[] = []
  readonly #left: Map<number, { from: number; s: number }> = new Map()
  readonly #blockages = new Blockages()
  #measuredS = 0
  #sumMbps = 0
  #lifiMbps = 0
  #clientS = 0
  #shortS = 0
  #handovers = 0
  #pingPongs = 0
  #joules = 0
  #measuredSeconds = 0
  #isMeasured = false
  #refused = 0

  /** From here on of this world, measured from a second on. */
  begin(world: World, measuredS: number): void {
    this.#world = world
    this.#measuredS = measuredS
    this.#left.clear()
    this.#blockages.begin(world)
    this.#bits = new Float64Array(world.clients)
    this.#askedBits = new Float64Array(world.clients)
    this.#presentS = new Float64Array(world.clients)
  }

  record(view: View, watts: Float64Array): void {
    const world = this.#world as World
    const isMeasured = view.s >= this.#measuredS
    this.#isMeasured = isMeasured
    this.#blockages.record(view, isMeasured)
    this.#recordMoves(view.s, isMeasured)
    if (!isMeasured) return
    this.#measuredSeconds += 1
    for (const each of watts) this.#joules += each
    for (let client = 0; client < world.clients; client++) {
      const devices = world.devicesOf(client)
      if (devices === 0) continue
      const { deliveredMbps, offeredMbps } = world.clientState(client)
      this.#bits[client] = (this.#bits[client] as number) + deliveredMbps
      this.#askedBits[client] = (this.#askedBits[client] as number) + offeredMbps
      this.#presentS[client] = (this.#presentS[client] as number) + 1
      this.#sumMbps += deliveredMbps
      this.#clientS += 1
      const at = view.clients[client]?.accessPoint ?? -1
      if (view.accessPoints[at]?.technology === 'LiFi') this.#lifiMbps += deliveredMbps
      // A hundredth less is rounding.
      if (deliveredMbps < 0.99 * Math.min(wantedMbps, offeredMbps)) this.#shortS += 1
    }
    if ((view.s - this.#measuredS + 1) % periodS === 0) this.end()
  }

  /** Moves that clients have refused in the second that was recorded last. */
  recordRefused(count: number): void {
    if (this.#isMeasured) this.#refused += count
  }

  figures(): Figures {
    const clientHours = this.#clientS / 3600
    return {
      mean_mbps: this.#sumMbps / this.#clientS,
      p5_mbps: percentile(this.#throughputs, 0.05),
      asked_p5_mbps: percentile(this.#asked, 0.05),
      short_s: this.#shortS / clientHours,
      ...this.#blockages.figures(),
      handovers: this.#handovers / clientHours,
      ping_pongs: this.#pingPongs / clientHours,
      kwh: (this.#joules / this.#measuredSeconds / 1000) * 24,
      lifi_part: this.#lifiMbps / this.#sumMbps,
      refused: this.#refused / clientHours,
    }
  }

  /** Ends a period of counters. */
  end(): void {
    this.#presentS.forEach((seconds, client) => {
      if (seconds < minPresentS) return
      this.#throughputs.push((this.#bits[client] as number) / seconds)
      this.#asked.push((this.#askedBits[client] as number) / seconds)
    })
    this.#askedBits.fill(0)
    this.#bits.fill(0)
    this.#presentS.fill(0)
  }

  #recordMoves(s: number, isMeasured: boolean): void {
    for (const { client, from, to } of (this.#world as World).moves) {
      if (from < 0 || to < 0) continue
      const left = this.#left.get(client)
      this.#left.set(client, { from, s })
      if (!isMeasured) continue
      this.#handovers += 1
      if (left?.from === to && s - left.s <= pingPongS) this.#pingPongs += 1
    }
  }
}
