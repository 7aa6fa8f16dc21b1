import { qualityOf, signals } from '../signals.ts'
import type { AccessPointView, ClientView, Outcome, Policy, Proposal, View } from '../view.types.ts'

/**
 * The documented options of usteer (openwrt.org, usteer): `load_kick_threshold` 75 %, `load_kick_delay` 10 s,
 * `load_kick_min_clients` 10, `roam_trigger_interval` 60 s, `steer_reject_timeout` 60 s; `signal_diff_threshold` is off by default,
 * and 8 dB in common examples: a quarter of the range of WiFi.
 */
const options = {
  kickAbove: 0.75,
  kickAfterS: 10,
  kickMinClients: 10,
  betweenS: 60,
  rejectedS: 60,
  /** Part of the range between the lowest and the best signal. */
  signalDifference: 0.25,
}

/**
 * As usteer does, extended to all technologies: an access point whose channel is busy for a while sends away the client with
 * the weakest signal, one at a time; and a client with a weak signal is moved to a clearly stronger access point.
 */
export class UsteerLike implements Policy {
  readonly #busySince = new Map<number, number>()
  /** By client: not to be moved before. */
  readonly #restUntil = new Map<number, number>()

  decide(view: View): Proposal[] {
    const kicks = this.#kicks(view)
    const kicked = new Set(kicks.map((one) => (one.kind === 'steer' ? one.client : -1)))
    return [...kicks, ...this.#roams(view).filter((one) => one.kind !== 'steer' || !kicked.has(one.client))]
  }

  learn(outcomes: readonly Outcome[], { s }: View): void {
    for (const { proposal, done } of outcomes)
      if (proposal.kind === 'steer')
        this.#restUntil.set(proposal.client, s + (done ? options.betweenS : options.rejectedS))
  }

  #kicks(view: View): Proposal[] {
    const { s, accessPoints, clients } = view
    const ready = new Set<number>()
    accessPoints.forEach((one, index) => {
      const isBusy = one.isOn && one.utilisation > options.kickAbove && one.clients >= options.kickMinClients
      if (!isBusy) this.#busySince.delete(index)
      else if (!this.#busySince.has(index)) this.#busySince.set(index, s)
      if (isBusy && s - (this.#busySince.get(index) ?? s) >= options.kickAfterS) ready.add(index)
    })
    const weakest = new Map<number, { client: number; to: number; quality: number }>()
    clients.forEach((one, client) => {
      if (!ready.has(one.accessPoint) || !this.#isFree(client, s)) return
      const quality = qualityOf((accessPoints[one.accessPoint] as AccessPointView).technology, one.signal)
      if (quality >= (weakest.get(one.accessPoint)?.quality ?? 2)) return
      const to = candidateOf(view, one, (other) => other.utilisation < options.kickAbove)
      if (to >= 0) weakest.set(one.accessPoint, { client, to, quality })
    })
    return [...weakest].map(([from, { client, to }]) => {
      // The next one only after the delay, when the effect is known.
      this.#busySince.set(from, s)
      return { kind: 'steer', client, from, to, expected: { reason: 'busy channel' } }
    })
  }

  #roams(view: View): Proposal[] {
    const proposals: Proposal[] = []
    view.clients.forEach((one, client) => {
      const serving = view.accessPoints[one.accessPoint]
      if (!serving || one.heardS !== view.s || !this.#isFree(client, view.s)) return
      if (one.signal >= signals[serving.technology].safe) return
      const own = qualityOf(serving.technology, one.signal)
      const to = candidateOf(
        view,
        one,
        (other, signal) => qualityOf(other.technology, signal) >= own + options.signalDifference,
      )
      if (to >= 0)
        proposals.push({
          kind: 'steer',
          client,
          from: one.accessPoint,
          to,
          expected: { reason: 'weak signal' },
        })
    })
    return proposals
  }

  #isFree(client: number, s: number): boolean {
    return s >= (this.#restUntil.get(client) ?? 0)
  }
}

/** The best signal among those that are accepted. */
function candidateOf(
  { accessPoints }: View,
  { accessPoint, heard }: ClientView,
  accepts: (other: AccessPointView, signal: number) => boolean,
): number {
  let best = 0
  let to = -1
  for (const one of heard) {
    const other = accessPoints[one.accessPoint]
    if (!other?.isOn || one.accessPoint === accessPoint || !accepts(other, one.signal)) continue
    const quality = qualityOf(other.technology, one.signal)
    if (quality <= best) continue
    best = quality
    to = one.accessPoint
  }
  return to
}
