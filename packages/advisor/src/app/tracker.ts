import type { Decision, DecisionState } from '@manc/sdk'
import type { Outcome, Proposal } from '../view.types.ts'
import type { Area } from './area.ts'
import { outcomeOf, steeringOf } from './outcomes.ts'
import type { Plan } from './plans.ts'

/** How long clients and access points are left alone, in milliseconds. */
interface Rests {
  /** A client that does not move, or whose move a person has rejected. */
  refusedMs: number
}

/** After a proposal without an answer, a decision that was not accepted, or a command that failed. */
const shortRestMs = 60_000
/** After a decision that was only recorded, and after one that made it worse. */
const longRestMs = 600_000
/** Until clients have reported again from where they are now; meanwhile other applications get their turn. */
const settledMs = 20_000
/** After a command, the access point is reserved for the app that has sent it for 10 s. */
const heldMs = 12_000
/** A command that was lost ends after its time; without an end, it is waited for no longer. */
const maxOpenMs = 15 * 60_000

interface Tracked {
  decision: Decision
  /** Undefined for one of an earlier start. */
  plan: Plan | undefined
  isLearnt: boolean
}

/** What has changed with decisions. */
export interface News {
  decision: Decision
  /** For the policy: of which plan the commands have ended, and how. */
  learnt?: { area: Area; outcomes: Outcome[] }
  /** The controller has measured it. */
  isMeasured: boolean
}

const closedStates: readonly DecisionState[] = ['rejected', 'expired', 'refused', 'measured', 'reverted']

/** Decisions of this application until nothing more happens to them, and what follows from them for further ones. */
export class Tracker {
  readonly #rests: Rests
  readonly #tracked = new Map<string, Tracked>()
  /** Until when, by id. */
  readonly #clients = new Map<string, number>()
  readonly #accessPoints = new Map<string, number>()
  readonly #asleep = new Set<string>()

  constructor(rests: Rests) {
    this.#rests = rests
  }

  /** Created, or found at the start. */
  add(decision: Decision, plan?: Plan, nowMs = Date.now()): void {
    this.#tracked.set(decision.id, { decision, plan, isLearnt: false })
    this.update(decision, nowMs)
  }

  /** The new state of a decision; undefined if it is the same. */
  update(decision: Decision, nowMs = Date.now()): News | undefined {
    const tracked = this.#tracked.get(decision.id)
    if (!tracked) return undefined
    const isNew = tracked.decision.state !== decision.state
    tracked.decision = decision
    const learnt = this.#learn(tracked)
    this.#rest(decision, nowMs)
    const hasEnded = decision.commands.every(({ state, ended_at: at }) => state === null || at !== null)
    const isOver = nowMs - Date.parse(decision.executed_at ?? decision.created_at) > maxOpenMs
    // One that was only recorded is measured, too.
    if ((closedStates.includes(decision.state) && hasEnded) || (isOver && decision.state !== 'proposed'))
      this.#tracked.delete(decision.id)
    if (!isNew && !learnt) return undefined
    return { decision, ...(learnt && { learnt }), isMeasured: isNew && decision.state === 'measured' }
  }

  ids(): Iterable<string> {
    return this.#tracked.keys()
  }

  /** It was deleted. */
  forget(id: string): void {
    this.#tracked.delete(id)
  }

  /** The time of the first decision that may still change; undefined without any. */
  get since(): Date | undefined {
    let first = Number.POSITIVE_INFINITY
    for (const { decision } of this.#tracked.values())
      first = Math.min(first, Date.parse(decision.created_at))
    return Number.isFinite(first) ? new Date(first) : undefined
  }

  /** Proposals without an answer. */
  get open(): number {
    return [...this.#tracked.values()].filter(({ decision }) => decision.state === 'proposed').length
  }

  allowsClient(id: string, nowMs = Date.now()): boolean {
    if (nowMs < (this.#clients.get(id) ?? 0)) return false
    return ![...this.#active()].some(({ commands }) =>
      commands.some(({ command }) => steeringOf(command)?.client === id),
    )
  }

  /** No decision about it is open, waits for the ends of its commands, or, if a person confirmed it, for its effect. */
  allowsAccessPoint(apId: string, nowMs = Date.now()): boolean {
    if (nowMs < (this.#accessPoints.get(apId) ?? 0)) return false
    return ![...this.#active()].some(({ commands }) => commands.some((each) => each.ap_id === apId))
  }

  isAsleep(apId: string): boolean {
    return this.#asleep.has(apId)
  }

  /** The controller has not accepted a decision about it. */
  restAccessPoint(apId: string, nowMs = Date.now()): void {
    this.#accessPoints.set(apId, nowMs + shortRestMs)
  }

  restClients(ids: readonly string[], nowMs = Date.now()): void {
    for (const id of ids) this.#clients.set(id, nowMs + longRestMs)
  }

  /** Forgets what is over. */
  sweep(nowMs = Date.now()): void {
    for (const rests of [this.#clients, this.#accessPoints])
      for (const [id, untilMs] of rests) if (untilMs <= nowMs) rests.delete(id)
  }

  *#active(): Generator<Decision> {
    for (const { decision } of this.#tracked.values()) {
      const { state, mode, commands } = decision
      const isRunning = commands.some((each) => each.state !== null && each.ended_at === null)
      if (state === 'proposed' || (state === 'executed' && (mode === 'advise' || isRunning))) yield decision
    }
  }

  /** Once, when all commands have ended. */
  #learn(tracked: Tracked): { area: Area; outcomes: Outcome[] } | undefined {
    const { decision, plan, isLearnt } = tracked
    const { commands } = decision
    if (isLearnt || decision.executed_at === null) return undefined
    if (commands.some(({ ended_at: at }) => at === null)) return undefined
    tracked.isLearnt = true
    for (const command of commands) {
      if (outcomeOf(command).kind !== 'done') continue
      if (command.command === 'sleep') this.#asleep.add(command.ap_id)
      if (command.command === 'wake') this.#asleep.delete(command.ap_id)
    }
    if (!plan) return undefined
    // A command that failed says nothing about the client: it may have left before.
    const outcomes = plan.proposals.flatMap((proposal: Proposal, n): Outcome[] => {
      const command = commands[n]
      const outcome = command && outcomeOf(command)
      if (!outcome || outcome.kind === 'failed') return []
      return [{ proposal, done: outcome.kind === 'done', status: outcome.status }]
    })
    return { area: plan.area, outcomes }
  }

  #rest(decision: Decision, nowMs: number): void {
    const { state, commands } = decision
    const atMs = Date.parse(decision.executed_at ?? decision.decided_at ?? decision.created_at)
    const rest = (map: Map<string, number>, id: string, untilMs: number) => {
      if (untilMs > nowMs) map.set(id, Math.max(untilMs, map.get(id) ?? 0))
    }
    for (const command of commands) {
      const client = steeringOf(command.command)?.client
      const outcome = outcomeOf(command)
      if (state === 'refused') rest(this.#accessPoints, command.ap_id, atMs + heldMs)
      if (decision.executed_at !== null) rest(this.#accessPoints, command.ap_id, atMs + settledMs)
      if (state === 'expired') rest(this.#accessPoints, command.ap_id, atMs + shortRestMs)
      if (client === undefined) {
        if (state === 'rejected' || state === 'recorded')
          rest(this.#accessPoints, command.ap_id, atMs + longRestMs)
        continue
      }
      if (state === 'recorded') rest(this.#clients, client, atMs + longRestMs)
      if (state === 'rejected' || outcome.kind === 'refused')
        rest(this.#clients, client, atMs + this.#rests.refusedMs)
      if (outcome.kind === 'failed') rest(this.#clients, client, atMs + shortRestMs)
    }
  }
}
