import { ClientMemory } from './client-memory.ts'
import { GuardRails } from './guard-rails.ts'
import { NetworkModel } from './network-model.ts'
import { OverlapGraph } from './overlap-graph.ts'
import { guardsOf, type PolicyFile } from './policy-file.ts'
import { RateCurve } from './rate-curve.ts'
import { Rhythm } from './rhythm.ts'
import { signals } from './signals.ts'
import { SleepPlanner } from './sleep-planner.ts'
import type { AccessPointView, ClientView, Heard, Outcome, Policy, Proposal, View } from './view.types.ts'

/** Moves are planned once in so many seconds. */
const roundS = 5
/** By default, reports that are older are not used, in seconds. */
const defaultFreshS = 15
/** Of all clients, in one round: what is learnt of the first is known to the next ones. */
const maxMovedPart = 0.08
const minMoved = 4
/** Clients of access points below this load are well where they are, unless their light is at risk. */
const busyFrom = 0.8
/** Clients leave light this long before a blockage that is expected, and do not come to it this long before. */
const leaveS = 2
const avoidS = 30

/** For a source of views that is slower than once a second. */
interface AdvisorOptions {
  /** Reports of clients that are older are not used, in seconds. */
  freshS?: number
  /** The effect of a move is known after so many seconds. */
  effectS?: number
}

type Steer = Extract<Proposal, { kind: 'steer' }>

/** Proposes moves of clients and access points to put to sleep or to wake, by a policy file. */
export class Advisor implements Policy {
  readonly #policy: PolicyFile
  readonly #guards
  readonly #freshS: number
  readonly #effectS: number | undefined
  readonly #rates = new RateCurve()
  readonly #rhythm = new Rhythm()
  #memory: ClientMemory | undefined
  #rails: GuardRails | undefined
  #graph: OverlapGraph | undefined
  #sleep: SleepPlanner | undefined

  constructor(policy: PolicyFile, { freshS = defaultFreshS, effectS }: AdvisorOptions = {}) {
    this.#policy = policy
    this.#guards = guardsOf(policy)
    this.#freshS = freshS
    this.#effectS = effectS
  }

  decide(view: View): Proposal[] {
    const memory = (this.#memory ??= new ClientMemory(view.clients.length))
    const rails = (this.#rails ??= new GuardRails(this.#guards, memory, this.#effectS))
    const graph = (this.#graph ??= new OverlapGraph(view.accessPoints))
    memory.update(view, this.#rates)
    graph.update(view)
    this.#rhythm.update(view)
    const isRound = view.s % roundS === 0
    const urgent = this.#urgentClients(view, memory, rails)
    if (!isRound && urgent.length === 0) return []
    const model = new NetworkModel(view, memory, this.#rates, this.#policy)
    const proposals: Proposal[] = this.#escape(view, model, rails, urgent)
    if (!isRound) return proposals
    const taken = new Set(urgent)
    proposals.push(...this.#revert(view, rails, taken), ...this.#balance(view, model, rails, taken))
    if (this.#policy.sleep) {
      this.#sleep ??= new SleepPlanner(graph, this.#guards, this.#freshS)
      proposals.push(...this.#sleep.plan(view, model))
    }
    return proposals
  }

  learn(outcomes: readonly Outcome[], view: View): void {
    this.#rails?.learn(outcomes, view)
  }

  /** Clients whose light has just gone out, or is expected to. */
  #urgentClients(view: View, memory: ClientMemory, rails: GuardRails): number[] {
    const { s, accessPoints, clients } = view
    const isDue = accessPoints.map(({ technology }, index) => {
      if (technology !== 'LiFi' || !this.#policy.anticipate_blockages) return false
      const untilS = this.#rhythm.untilNext(index, s)
      return untilS >= 0 && untilS <= leaveS
    })
    const found: number[] = []
    clients.forEach(({ accessPoint }, client) => {
      const isUrgent = memory.isBlocked[client] === 1 || isDue[accessPoint] === true
      if (isUrgent && rails.allows(client, s, true)) found.push(client)
    })
    return found
  }

  /** To the best access point of another technology, whatever it costs others. */
  #escape(view: View, model: NetworkModel, rails: GuardRails, urgent: readonly number[]): Proposal[] {
    return urgent.flatMap((client) => {
      const one = view.clients[client] as ClientView
      const best = bestOf(this.#targets(view, rails, client), ({ accessPoint, signal }) =>
        view.accessPoints[accessPoint]?.technology === 'LiFi'
          ? Number.NEGATIVE_INFINITY
          : model.gainOf(client, accessPoint, signal),
      )
      if (!best) return []
      const { accessPoint, signal } = best.heard
      model.move(client, accessPoint, signal)
      return [steerOf(client, one.accessPoint, accessPoint, 'blocked light')]
    })
  }

  #revert(view: View, rails: GuardRails, taken: Set<number>): Proposal[] {
    return rails
      .reverts(view)
      .filter(
        ({ client, to }) =>
          !taken.has(client) &&
          rails.allows(client, view.s) &&
          rails.allowsTarget(client, to, view.s) &&
          this.#isUsable(view, to) &&
          view.clients[client]?.heard.some(({ accessPoint }) => accessPoint === to),
      )
      .map(({ client, from, to }) => {
        taken.add(client)
        return steerOf(client, from, to, 'worse than before')
      })
  }

  /** The moves that improve the objective most, each tried on the model with those before it. */
  #balance(view: View, model: NetworkModel, rails: GuardRails, taken: ReadonlySet<number>): Proposal[] {
    const { s, accessPoints, clients } = view
    const isBusy = accessPoints.map((_, index) => model.loadOf(index) >= busyFrom)
    const found: { client: number; heard: Heard; gain: number }[] = []
    clients.forEach((one, client) => {
      const serving = accessPoints[one.accessPoint]
      if (!serving || taken.has(client)) return
      if (!isBusy[one.accessPoint] && serving.technology !== 'LiFi') return
      if (!rails.allows(client, s)) return
      const best = bestOf(this.#targets(view, rails, client), ({ accessPoint, signal }) =>
        model.gainOf(client, accessPoint, signal),
      )
      if (best && best.worth > model.thresholdOf(client, this.#guards.min_gain))
        found.push({ client, heard: best.heard, gain: best.worth })
    })
    const max = Math.max(minMoved, maxMovedPart * clients.length)
    const proposals: Proposal[] = []
    for (const { client, heard } of found.sort((a, b) => b.gain - a.gain || a.client - b.client)) {
      if (proposals.length >= max) break
      // Those before it may have taken the place.
      const gain = model.gainOf(client, heard.accessPoint, heard.signal)
      if (gain <= model.thresholdOf(client, this.#guards.min_gain)) continue
      const from = (clients[client] as ClientView).accessPoint
      const beforeMbps = model.throughputOf(client)
      const loads = () => [model.loadOf(from), model.loadOf(heard.accessPoint)] as const
      const before = loads()
      model.move(client, heard.accessPoint, heard.signal)
      const after = loads()
      const proposal = steerOf(client, from, heard.accessPoint, this.#policy.objective)
      proposal.expected.beforeMbps = beforeMbps
      proposal.expected.afterMbps = model.throughputOf(client)
      proposal.expected.fromLoad = { before: before[0], after: after[0] }
      proposal.expected.toLoad = { before: before[1], after: after[1] }
      proposals.push(proposal)
    }
    return proposals
  }

  #targets({ s, accessPoints, clients }: View, rails: GuardRails, client: number): Heard[] {
    const one = clients[client] as ClientView
    if (s - one.heardS > this.#freshS) return []
    return one.heard.filter(
      ({ accessPoint, signal }) =>
        accessPoint !== one.accessPoint &&
        signal >= signals[(accessPoints[accessPoint] as AccessPointView).technology].safe &&
        this.#isUsable({ s, accessPoints, clients }, accessPoint) &&
        rails.allowsTarget(client, accessPoint, s),
    )
  }

  #isUsable({ s, accessPoints }: View, index: number): boolean {
    const one = accessPoints[index] as AccessPointView
    if (!one.isOn || one.isAsleep || one.isBlocked) return false
    return one.technology !== 'LiFi' || !(Math.abs(this.#rhythm.untilNext(index, s)) <= avoidS)
  }
}

function steerOf(client: number, from: number, to: number, reason: string): Steer {
  return { kind: 'steer', client, from, to, expected: { reason } }
}

interface Best {
  heard: Heard
  worth: number
}

function bestOf(all: readonly Heard[], worthOf: (one: Heard) => number): Best | undefined {
  let best: Best | undefined
  for (const heard of all) {
    const worth = worthOf(heard)
    if (worth > (best?.worth ?? Number.NEGATIVE_INFINITY)) best = { heard, worth }
  }
  return best
}
