import type { NetworkModel } from './network-model.ts'
import type { OverlapGraph } from './overlap-graph.ts'
import type { Guards } from './policy-file.ts'
import { signals } from './signals.ts'
import type { AccessPointView, ClientView, Proposal, View } from './view.types.ts'

/** Some access points at a time, so that the effect of the last ones is known. */
const everyS = 10
const atOnce = 4
/** Not again for so long after it was woken. */
const restS = 900
/** Those that carry its clients wake it when their load, with the trend of the next half minute, is this much above the limit. */
const wakeLead = 0.15
const aheadS = 30
/** A trend goes on for no more than this load: bursts have steep ones. */
const maxTrend = 0.2
const maxGapS = 60
/** Of trends of load. */
const weight = 0.1
/** A sleeping access point belongs to those that cover at least this part of its clients. */
const isNeighbourFrom = 0.2
const minCoverage = 0.9
const maxAlone = 0.05
/** A client must keep this part of its rate, or have enough for any application. */
const keptRate = 0.7
const enoughMbps = 150
/** What sleep saves, in watts (Auer et al. 2011 for 5G; radios of WiFi and modems of LiFi). */
const savedW = { '5G': 35, WiFi: 3.5, LiFi: 2.5 }

/** Which access points may sleep, and which have to wake before they are needed. */
export class SleepPlanner {
  readonly #graph: OverlapGraph
  readonly #guards: Guards
  readonly #freshS: number
  readonly #load: number[] = []
  /** Load a second. */
  readonly #slope: number[] = []
  readonly #restUntil: number[] = []
  /** Clients that were attached when it was put to sleep. */
  readonly #former = new Map<number, readonly number[]>()
  #plannedS = 0
  #lastS = 0

  constructor(graph: OverlapGraph, guards: Guards, freshS: number) {
    this.#graph = graph
    this.#guards = guards
    this.#freshS = freshS
  }

  plan(view: View, model: NetworkModel): Proposal[] {
    this.#followLoads(view)
    const woken = this.#wake(view)
    if (woken.length > 0 || view.s - this.#plannedS < everyS) return woken
    this.#plannedS = view.s
    return this.#sleep(view, model)
  }

  /** Holt's linear trend. */
  #followLoads({ s, accessPoints }: View): void {
    const elapsedS = Math.max(1, s - this.#lastS)
    this.#lastS = s
    // After a gap, earlier values do not count for trends.
    const isKnown = elapsedS <= maxGapS
    accessPoints.forEach(({ load }, index) => {
      const before = isKnown ? (this.#load[index] ?? load) : load
      const slope = isKnown ? (this.#slope[index] ?? 0) : 0
      const next = before + slope * elapsedS + 3 * weight * (load - before - slope * elapsedS)
      this.#slope[index] = slope + weight * ((next - before) / elapsedS - slope)
      this.#load[index] = next
    })
  }

  #forecast(index: number): number {
    return (this.#load[index] ?? 0) + Math.min(maxTrend, aheadS * Math.max(0, this.#slope[index] ?? 0))
  }

  #wake(view: View): Proposal[] {
    const { s, accessPoints } = view
    if (!accessPoints.some(({ isAsleep }) => isAsleep)) return []
    return accessPoints.flatMap((one, index): Proposal[] => {
      if (!one.isAsleep) return []
      const cause = accessPoints.findIndex(
        (other, at) =>
          other.isOn &&
          this.#graph.overlap(index, at) >= isNeighbourFrom &&
          this.#forecast(at) > this.#guards.max_sleep_load + wakeLead,
      )
      const isMissed = this.#isMissed(index, view)
      if (cause < 0 && !isMissed) return []
      this.#restUntil[index] = s + restS
      this.#former.delete(index)
      return [{ kind: 'wake', accessPoint: index, expected: { reason: isMissed ? 'weak signal' : 'load' } }]
    })
  }

  /** A client that it had has a weak signal now, and no alternative. */
  #isMissed(index: number, { accessPoints, clients }: View): boolean {
    for (const client of this.#former.get(index) ?? []) {
      const one = clients[client] as ClientView
      const serving = accessPoints[one.accessPoint]
      if (!serving || one.signal >= signals[serving.technology].safe) continue
      const hasOther = one.heard.some(
        ({ accessPoint, signal }) =>
          signal >= signals[(accessPoints[accessPoint] as AccessPointView).technology].safe,
      )
      if (!hasOther) return true
    }
    return false
  }

  /** Those that save most, if all of their clients have a good alternative. */
  #sleep(view: View, model: NetworkModel): Proposal[] {
    const { s, accessPoints } = view
    const candidates = [...accessPoints.keys()]
      .filter((index) => {
        const one = accessPoints[index] as AccessPointView
        return one.isOn && !one.isAsleep && s >= (this.#restUntil[index] ?? 0)
      })
      .sort((a, b) => watts(view, b) - watts(view, a) || a - b)
    const chosen = new Map<number, Proposal>()
    for (const index of candidates) {
      if (chosen.size >= atOnce) break
      const isAwake = (at: number) => accessPoints[at]?.isOn === true && at !== index && !chosen.has(at)
      if (!this.#isCovered(view, index, isAwake)) continue
      const moved = this.#alternatives(view, model, index, isAwake)
      if (!moved) continue
      this.#former.set(
        index,
        moved.map(({ client }) => client),
      )
      for (const { client, to, signal } of moved) model.move(client, to, signal)
      const reason = `${moved.length} clients move`
      chosen.set(index, {
        kind: 'sleep',
        accessPoint: index,
        expected: { reason, savedW: watts(view, index) },
      })
    }
    return [...chosen.values()]
  }

  /** Others cover it and those that sleep already. */
  #isCovered({ accessPoints }: View, index: number, isAwake: (at: number) => boolean): boolean {
    if (this.#graph.aloneAt(index) > maxAlone) return false
    return accessPoints.every((_, at) => isAwake(at) || this.#graph.coverage(at, isAwake) >= minCoverage)
  }

  /** Where its clients would go; undefined where one has no good alternative. */
  #alternatives(
    { s, accessPoints, clients }: View,
    model: NetworkModel,
    index: number,
    isAwake: (at: number) => boolean,
  ): Moved[] | undefined {
    const added = new Map<number, number>()
    const moved: Moved[] = []
    for (const client of model.members[index] as number[]) {
      const one = clients[client] as ClientView
      if (s - one.heardS > this.#freshS) return undefined
      let best: Moved | undefined
      let bestRate = Math.min(enoughMbps, keptRate * model.rateOf(client))
      for (const { accessPoint: to, signal } of one.heard) {
        const other = accessPoints[to] as AccessPointView
        if (!isAwake(to) || other.isBlocked || signal < signals[other.technology].safe) continue
        const rate = model.rateAt(to, signal)
        const load = Math.max(this.#forecast(to), model.loadOf(to)) + (added.get(to) ?? 0)
        if (rate < bestRate || load + model.needOf(client, rate) > this.#guards.max_sleep_load) continue
        best = { client, to, signal }
        bestRate = rate
      }
      if (!best) return undefined
      moved.push(best)
      added.set(best.to, (added.get(best.to) ?? 0) + model.needOf(client, bestRate))
    }
    return moved
  }
}

interface Moved {
  client: number
  to: number
  signal: number
}

const watts = ({ accessPoints }: View, index: number): number =>
  savedW[(accessPoints[index] as AccessPointView).technology]
