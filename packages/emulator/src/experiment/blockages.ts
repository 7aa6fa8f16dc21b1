import type { View } from '@manc/advisor'
import type { World } from '../world/index.ts'
import { reportS } from './observer.ts'

/** An outage belongs to a blockage if it is within these seconds before and after its begin: moves in advance count as well. */
const beforeS = 5
const afterS = 10
/** A client that moves changes the SNR by less in a second; a person in the beam takes 34 dB. */
const dropDb = 10
/** What a client can use: from this SNR on clients join LiFi by themselves. */
const usableDb = 15
/** A period is known after so many begins. */
const knownAfter = 3
/** Interruptions of moves in ms, from row to column: 5G, WiFi, LiFi (packages/emulator/src/world/parameters.ts). */
const interruptions = {
  '5G': { '5G': 108, WiFi: 500, LiFi: 500 },
  WiFi: { '5G': 500, WiFi: 250, LiFi: 500 },
  LiFi: { '5G': 500, WiFi: 500, LiFi: 200 },
} as const
const reconnections = { '5G': 400, WiFi: 1000, LiFi: 700 } as const

interface Window {
  client: number
  endS: number
  before: number
  isPredictable: boolean
}

/**
 * Outage of clients whose light is blocked. Blockages are those of the luminaire that a client receives best, whether it uses it
 * or not: so all policies have the same ones, and a policy that avoids risky light has less outage.
 */
export class Blockages {
  #world: World | undefined
  /** Seconds without a connection since the begin, and the same at the end of each of the last seconds. */
  #outage = new Float64Array()
  #history: Float64Array[] = []
  #luminaire = new Int32Array()
  #snr = new Float64Array()
  readonly #wasBlocked: boolean[] = []
  readonly #begins: number[] = []
  readonly #open = new Map<number, Window>()
  #sum = { any: 0, anyCount: 0, predictable: 0, predictableCount: 0 }

  begin(world: World): void {
    this.#world = world
    this.#history = []
    this.#open.clear()
    this.#outage = new Float64Array(world.clients)
    this.#luminaire = new Int32Array(world.clients).fill(-1)
    this.#snr = new Float64Array(world.clients)
  }

  record(view: View, isMeasured: boolean): void {
    const world = this.#world as World
    this.#recordOutages(world, view)
    view.accessPoints.forEach(({ isBlocked }, index) => {
      if (isBlocked && !this.#wasBlocked[index]) this.#begins[index] = (this.#begins[index] ?? 0) + 1
      this.#wasBlocked[index] = isBlocked
    })
    for (let client = 0; client < world.clients; client++) this.#follow(world, client, view, isMeasured)
    for (const window of this.#open.values()) {
      if (view.s < window.endS) continue
      const outage = (this.#outage[window.client] as number) - window.before
      this.#open.delete(window.client)
      this.#sum.any += outage
      this.#sum.anyCount += 1
      if (!window.isPredictable) continue
      this.#sum.predictable += outage
      this.#sum.predictableCount += 1
    }
    this.#history.push(this.#outage.slice())
    if (this.#history.length > beforeS) this.#history.shift()
  }

  figures() {
    const { any, anyCount, predictable, predictableCount } = this.#sum
    return {
      outage_s: anyCount > 0 ? any / anyCount : 0,
      outage_predictable_s: predictableCount > 0 ? predictable / predictableCount : 0,
      blockages: anyCount,
      predictable: predictableCount,
    }
  }

  #recordOutages(world: World, { accessPoints }: View): void {
    const moved = new Map<number, number>()
    for (const { client, from, to, cause } of world.moves) {
      const source = accessPoints[from]?.technology
      const target = accessPoints[to]?.technology
      if (source && target)
        moved.set(client, cause === 'lost' ? reconnections[target] : interruptions[source][target])
    }
    for (let client = 0; client < world.clients; client++) {
      if (world.devicesOf(client) === 0) continue
      const { deliveredMbps, offeredMbps } = world.clientState(client)
      const ms = deliveredMbps === 0 && offeredMbps > 0 ? 1000 : Math.min(1000, moved.get(client) ?? 0)
      this.#outage[client] = (this.#outage[client] as number) + ms / 1000
    }
  }

  #follow(world: World, client: number, { s, accessPoints, clients }: View, isMeasured: boolean): void {
    const known = this.#luminaire[client] as number
    const one = clients[client]
    if (!one || world.devicesOf(client) === 0) {
      this.#luminaire[client] = -1
      return
    }
    if (known >= 0) {
      const snr = world.signalTo(client, world.accessPoints[known] as (typeof world.accessPoints)[0])
      const isBegin = snr < (this.#snr[client] as number) - dropDb && accessPoints[known]?.isAsleep === false
      this.#snr[client] = snr
      if (isBegin) {
        this.#luminaire[client] = -1
        if (isMeasured && !this.#open.has(client))
          this.#open.set(client, {
            client,
            endS: s + afterS,
            before: this.#history[0]?.[client] ?? 0,
            isPredictable: accessPoints[known]?.isBlocked === true && (this.#begins[known] ?? 0) > knownAfter,
          })
        return
      }
    }
    if ((s + client) % reportS !== 0 && known >= 0) return
    let best = usableDb
    this.#luminaire[client] = -1
    world.heardBy(client, (index, signal) => {
      if (accessPoints[index]?.technology !== 'LiFi' || signal < best) return
      best = signal
      this.#luminaire[client] = index
      this.#snr[client] = signal
    })
  }
}
