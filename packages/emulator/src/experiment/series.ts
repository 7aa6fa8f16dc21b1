import { type ExperimentSeries, maxSeriesPoints } from '@manc/contract'
import { percentile } from '@manc/contract/statistics'
import type { World } from '../world/index.ts'

const minStepS = 10

/** A bounded time series of one run, so that runs can be compared second by second. */
export class Series {
  readonly #stepS: number
  readonly #points: ExperimentSeries
  #world: World | undefined
  /** Of the current step, by client. */
  #mbps = new Float64Array()
  #presentS = new Float64Array()
  #seconds = 0
  #handovers = 0

  /** Of a run with so many simulated seconds. */
  constructor(totalS: number) {
    // A slice of a day may end within a step: one more point for each.
    this.#stepS = Math.max(minStepS, Math.ceil(totalS / (maxSeriesPoints - maxSlices)))
    this.#points = { step_s: this.#stepS, s: [], mean_mbps: [], p5_mbps: [], clients: [], handovers: [] }
  }

  begin(world: World): void {
    this.#world = world
    this.#mbps = new Float64Array(world.clients)
    this.#presentS = new Float64Array(world.clients)
  }

  /** After each second. */
  record(): void {
    const world = this.#world as World
    for (const { from, to } of world.moves) if (from >= 0 && to >= 0) this.#handovers += 1
    for (let client = 0; client < world.clients; client++) {
      if (world.devicesOf(client) === 0) continue
      this.#mbps[client] = (this.#mbps[client] as number) + world.clientState(client).deliveredMbps
      this.#presentS[client] = (this.#presentS[client] as number) + 1
    }
    this.#seconds += 1
    if (this.#seconds === this.#stepS) this.end()
  }

  /** Ends a step, also before its time. */
  end(): void {
    if (this.#seconds === 0) return
    const world = this.#world as World
    const throughputs: number[] = []
    let attached = 0
    for (let client = 0; client < world.clients; client++) {
      const seconds = this.#presentS[client] as number
      if (seconds > 0) throughputs.push((this.#mbps[client] as number) / seconds)
      if (world.devicesOf(client) > 0 && world.clientState(client).accessPoint !== undefined) attached += 1
    }
    const points = this.#points
    points.s.push(world.second)
    points.mean_mbps.push(rounded(throughputs.reduce((sum, one) => sum + one, 0) / throughputs.length))
    points.p5_mbps.push(rounded(percentile(throughputs, 0.05)))
    points.clients.push(attached)
    points.handovers.push(this.#handovers)
    this.#mbps.fill(0)
    this.#presentS.fill(0)
    this.#seconds = 0
    this.#handovers = 0
  }

  points(): ExperimentSeries {
    return this.#points
  }
}

/** The hours of a day. */
const maxSlices = 24

/** Without clients 0. */
const rounded = (value: number) => (Number.isFinite(value) ? Number(value.toFixed(3)) : 0)
