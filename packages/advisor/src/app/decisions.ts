import {
  type Client,
  Conflict,
  type Decision,
  type DecisionCreate,
  Invalid,
  type Manc,
  NotAllowed,
  NotFound,
  TooManyRequests,
} from '@manc/sdk'
import { guardsOf } from '../policy-file.ts'
import type { Proposal } from '../view.types.ts'
import type { Area } from './area.ts'
import { HourlyBudget } from './hourly-budget.ts'
import type { Log } from './log.ts'
import { hasGotWorse, measuredText, outcomeText } from './outcomes.ts'
import type { Plan } from './plans.ts'
import { clientsOf, revertOf } from './reverts.ts'
import type { Settings } from './settings.ts'
import { type News, Tracker } from './tracker.ts'

/** Decisions of an earlier start that are read: for the rests of clients, and for access points that are asleep. */
const restored = { ms: 15 * 60_000, withSleepMs: 24 * 3_600_000, max: 2000 }
/** Of the list of decisions; older ones that are not yet over are read one by one. */
const maxListed = 500
const pauseMs = 60_000

/** Creates decisions and follows them until they are over. */
export class Decisions {
  readonly #manc: Manc
  readonly #settings: Settings
  readonly #log: Log
  readonly #tracker: Tracker
  readonly #budget: HourlyBudget
  #pausedUntilMs = 0

  constructor(manc: Manc, { log, ...settings }: Settings & { log: Log }) {
    this.#manc = manc
    this.#settings = settings
    this.#log = log
    this.#tracker = new Tracker({ refusedMs: guardsOf(settings.policy).refused_s * 1000 })
    this.#budget = new HourlyBudget(settings.decisionsPerHour)
  }

  /** Proposals without an answer. */
  get open(): number {
    return this.#tracker.open
  }

  isAsleep(apId: string): boolean {
    return this.#tracker.isAsleep(apId)
  }

  /** Reads the decisions of an earlier start. */
  async restore(signal: AbortSignal): Promise<void> {
    const { policy } = this.#settings
    const from = new Date(Date.now() - (policy.sleep ? restored.withSleepMs : restored.ms))
    const decisions: Decision[] = []
    for await (const decision of this.#manc.decisions.list({ from, signal })) {
      decisions.push(decision)
      if (decisions.length >= restored.max) break
    }
    // The oldest first: an access point may have been put to sleep and woken again.
    for (const decision of decisions.toReversed()) this.#tracker.add(decision)
    if (decisions.length > 0)
      this.#log(`${decisions.length} decisions of earlier, ${this.open} of them wait for an answer`)
  }

  /** No other decision about its access point or client is in progress, and these have not to be left alone. */
  allows({ accessPoints, view }: Area, proposal: Proposal): boolean {
    const index = proposal.kind === 'steer' ? proposal.from : proposal.accessPoint
    if (!this.#tracker.allowsAccessPoint(accessPoints[index]?.ap_id ?? '')) return false
    return proposal.kind !== 'steer' || this.#tracker.allowsClient(view.clients[proposal.client]?.id ?? '')
  }

  async create(plans: readonly Plan[], signal: AbortSignal): Promise<void> {
    const { mode, maxOpen } = this.#settings
    for (const plan of plans) {
      if (Date.now() < this.#pausedUntilMs) return
      if (mode === 'advise' && this.open >= maxOpen) return
      // An earlier plan of this round may be about the same access point.
      if (!this.#tracker.allowsAccessPoint(plan.apId)) continue
      if (!this.#budget.take()) return this.#pause('The decisions of this hour are used up.', pauseMs)
      const decision = await this.#post(plan.decision, signal)
      if (decision) this.#tracker.add(decision, plan)
      else if (Date.now() >= this.#pausedUntilMs) this.#tracker.restAccessPoint(plan.apId)
    }
  }

  /** Learns what became of decisions, and undoes those that have made it worse. */
  async follow(clients: ReadonlyMap<string, Client>, signal: AbortSignal): Promise<void> {
    const from = this.#tracker.since
    if (!from) return
    const missing = new Set(this.#tracker.ids())
    const news: News[] = []
    const update = (decision: Decision) => {
      missing.delete(decision.id)
      const change = this.#tracker.update(decision)
      if (!change) return
      // At once: of a request below that fails, it would be lost.
      this.#learn(change)
      news.push(change)
    }
    let listed = 0
    for await (const decision of this.#manc.decisions.list({ from, pageSize: maxListed, signal })) {
      update(decision)
      listed += 1
      if (listed >= maxListed || missing.size === 0) break
    }
    for (const id of missing) {
      const decision = await this.#find(id, signal)
      if (decision) update(decision)
      else this.#tracker.forget(id)
    }
    for (const each of news) await this.#undoIfWorse(each, clients, signal)
    this.#tracker.sweep()
  }

  /** Undefined if it was deleted, or the permissions do not cover it any more. */
  async #find(id: string, signal: AbortSignal): Promise<Decision | undefined> {
    try {
      return await this.#manc.decisions.get(id, { signal })
    } catch (error) {
      if (error instanceof NotFound) return undefined
      throw error
    }
  }

  #learn({ decision, learnt, isMeasured }: News): void {
    const { id, state, decided_by: by } = decision
    if (learnt) {
      learnt.area.learn(learnt.outcomes)
      this.#log(`${id} ended: ${outcomeText(decision)}`)
    }
    if (isMeasured) this.#log(`${id} measured: ${measuredText(decision)}`)
    else if (!learnt) this.#log(`${id} is ${state}${by === null ? '' : ` by ${by}`}`)
  }

  async #undoIfWorse(
    { decision, isMeasured }: News,
    clients: ReadonlyMap<string, Client>,
    signal: AbortSignal,
  ): Promise<void> {
    const isWorse = isMeasured && decision.mode !== 'watch' && hasGotWorse(decision)
    // One that has undone another is not undone.
    if (!isWorse || decision.reverts !== null) return
    this.#tracker.restClients(clientsOf(decision))
    const revert = revertOf(decision, clients, this.#settings.expiresS)
    if (!revert) return this.#log(`${decision.id} made it worse, and none of its clients is still there`)
    const created = await this.#post(revert, signal)
    if (created) this.#tracker.add(created)
  }

  /** Undefined if the controller accepts no decision at the moment, or not this one. */
  async #post(body: DecisionCreate, signal: AbortSignal): Promise<Decision | undefined> {
    try {
      const decision = await this.#manc.decisions.create(body, { signal })
      this.#log(`${decision.state} ${decision.id}: ${decision.reason}`)
      const refused = decision.commands.find(({ verdict }) => verdict !== null && verdict !== 'granted')
      if (refused) this.#log(`${decision.id} ${refused.ap_id} ${refused.verdict}: ${refused.detail}`)
      return decision
    } catch (error) {
      if (error instanceof Conflict || error instanceof TooManyRequests)
        this.#pause(error.message, (error.retryAfterS ?? pauseMs / 1000) * 1000)
      // For example an access point that was removed: other decisions do not depend on it.
      else if (error instanceof NotFound || error instanceof NotAllowed || error instanceof Invalid)
        this.#log(`a decision was not accepted: ${error.message} It was: ${body.reason}`)
      else throw error
      return undefined
    }
  }

  #pause(reason: string, ms: number): void {
    this.#pausedUntilMs = Date.now() + ms
    this.#log(`${reason} No further decisions for ${Math.ceil(ms / 1000)} s.`)
  }
}
