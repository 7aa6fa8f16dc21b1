import { signals } from './signals.ts'
import type { AccessPointView, Technology, View } from './view.types.ts'

/** Of a new report. */
const weight = 0.02
/**
 * Before any report, from positions: the part of the clients of an access point that hear one within these metres well. By ITU-R
 * P.1238 a WiFi access point has -74 dBm at about 40 m in an office; clients are up to 16 m from their own. Light reaches only
 * those beneath it.
 */
const assumed: Record<Technology, readonly { withinM: number; part: number }[]> = {
  '5G': [{ withinM: 200, part: 0.5 }],
  WiFi: [
    { withinM: 20, part: 0.85 },
    { withinM: 40, part: 0.5 },
  ],
  LiFi: [],
}
const minReports = 30

/**
 * How much the coverage of access points overlaps, by what their clients hear, and by positions where there were no clients
 * yet: for each pair the part of the clients of one that hear the other well.
 */
export class OverlapGraph {
  readonly #count: number
  readonly #parts: Float64Array
  readonly #reports: Float64Array
  /** Of the clients of an access point: those that hear nothing else well. */
  readonly #alone: Float64Array
  readonly #heard: Uint8Array

  constructor(accessPoints: readonly AccessPointView[]) {
    this.#count = accessPoints.length
    this.#parts = new Float64Array(this.#count * this.#count)
    this.#reports = new Float64Array(this.#count)
    this.#alone = new Float64Array(this.#count)
    this.#heard = new Uint8Array(this.#count)
    accessPoints.forEach((one, from) =>
      accessPoints.forEach((other, to) => {
        const metres = Math.hypot(one.x - other.x, one.y - other.y)
        const known = assumed[other.technology].find(({ withinM }) => metres <= withinM)
        if (from !== to && known) this.#parts[from * this.#count + to] = known.part
      }),
    )
  }

  update({ s, accessPoints, clients }: View): void {
    for (const { accessPoint: from, heard, heardS } of clients) {
      if (from < 0 || heardS !== s) continue
      this.#reports[from] = (this.#reports[from] as number) + 1
      this.#heard.fill(0, 0, this.#count)
      let isAlone = 1
      for (const { accessPoint, signal } of heard) {
        const { technology } = accessPoints[accessPoint] as AccessPointView
        if (accessPoint === from || signal < signals[technology].safe) continue
        this.#heard[accessPoint] = 1
        isAlone = 0
      }
      this.#alone[from] = (this.#alone[from] as number) + weight * (isAlone - (this.#alone[from] as number))
      for (let to = 0; to < this.#count; to++) {
        // What is asleep cannot be heard: nothing is learnt of it.
        if (accessPoints[to]?.isOn !== true) continue
        const at = from * this.#count + to
        this.#parts[at] =
          (this.#parts[at] as number) + weight * ((this.#heard[to] as number) - (this.#parts[at] as number))
      }
    }
  }

  /** The part of the clients of an access point that hear another one well. */
  overlap(from: number, to: number): number {
    return this.#parts[from * this.#count + to] as number
  }

  /** The part of its clients that would still be covered by those that are given. */
  coverage(from: number, isGiven: (index: number) => boolean): number {
    let uncovered = 1
    for (let to = 0; to < this.#count; to++)
      if (to !== from && isGiven(to)) uncovered *= 1 - this.overlap(from, to)
    return 1 - uncovered
  }

  /** Of the clients of an access point, those that heard nothing else well; unknown ones are taken to be some. */
  aloneAt(index: number): number {
    return (this.#reports[index] as number) < minReports ? 0 : (this.#alone[index] as number)
  }
}
