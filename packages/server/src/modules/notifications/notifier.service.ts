import type { Logger } from 'pino'
import { databaseRefusal, type Postgres, type Tx } from '../../engines/postgres.ts'
import { newId } from '../../ids.ts'
import type { Limits } from '../../limits.ts'
import type { AlarmChange, AlarmRow, AlarmService } from '../alarms/index.ts'
import type { DeliveryStore } from './deliveries.store.ts'
import { FailingChanges } from './failing-changes.cache.ts'
import { type Plan, planOf } from './flush.rules.ts'
import type { DueGroup, GroupStore } from './groups.store.ts'
import { matcherOf } from './matching.rules.ts'
import { groupKeyOf, messageOf } from './message.format.ts'
import type { Entry, RouteRow } from './notifications.types.ts'
import { type Outcome, outcomeOf, receiversOf, type Target } from './outbound.rules.ts'
import type { ReceiverStore } from './receivers.store.ts'
import type { RouteStore } from './routes.store.ts'

interface Deps {
  postgres: Postgres
  alarms: Pick<AlarmService, 'takeChanges' | 'oldestChangeS' | 'byIds'>
  groups: GroupStore
  routes: RouteStore
  receivers: ReceiverStore
  deliveries: DeliveryStore
  limits: Limits
  log: Logger
  perHour: number
  hours: number
}

/** Changes per transaction. */
const maxChanges = 500
/** Also with many routes. */
const minChanges = 10
/** Changes times routes, at most so many rows, in one transaction. */
const maxAdded = 5000
/** Alarms of one message. More of them are in the next one. */
const flushSize = 5000
/** Alarms of one statement: each is compared with all silences. */
const readSize = 1000
const maxPostponeS = 60
/** Until a group is tried again whose transaction failed. */
const failedS = 30
const sweepSize = 5000

/**
 * From alarms to messages. Any number of replicas: changes and groups are taken with locks, and what was taken is changed in
 * the same transaction, so that an alarm is in one message of a route.
 */
export class NotifierService {
  readonly #deps: Deps
  /** Smaller after a transaction that failed: it may have taken too long. */
  #changes = maxChanges
  readonly #failing = new FailingChanges()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Adds changed alarms to the groups of the routes that match. True if there may be more. After a failure fewer are taken,
   * until one that fails alone is found: it waits, and the others go on.
   */
  async takeChanges(): Promise<boolean> {
    let taken: readonly AlarmChange[] = []
    try {
      const mayBeMore = await this.#takeChanges((changes) => {
        taken = changes
      })
      this.#changes = Math.min(this.#changes * 2, maxChanges)
      this.#failing.remove(idsOf(taken))
      return mayBeMore
    } catch (error) {
      this.#changes = Math.max(Math.floor(this.#changes / 2), 1)
      const [first, ...others] = taken
      if (!first || databaseRefusal(error)) throw error
      if (others.length > 0) return true
      if (!this.#failing.add(first.id, performance.now())) throw error
      const { alarm, id } = first
      this.#deps.log.warn(
        { err: error, change: id, alarm: alarm.id },
        'a change of an alarm could not be handled for notifications; it is tried again later, others go on',
      )
      return true
    }
  }

  async #takeChanges(onTaken: (changes: readonly AlarmChange[]) => void): Promise<boolean> {
    const { postgres, alarms, groups, routes } = this.#deps
    const except = this.#failing.waiting(performance.now())
    return postgres.transaction(async (tx) => {
      const enabled = (await routes.all(tx)).filter(({ isEnabled }) => isEnabled)
      const matchers = enabled.map((route) => ({ route, matches: matcherOf(route) }))
      const byRoutes = Math.floor(maxAdded / Math.max(enabled.length, 1))
      const max = Math.min(this.#changes, Math.max(byRoutes, minChanges))
      const changes = await alarms.takeChanges(tx, max, except)
      onTaken(changes)
      if (changes.length === 0) return false
      // An alarm that is cleared already is not reported.
      const raised = changes.filter(({ isRaised, alarm }) => isRaised && alarm.clearedAt === null)
      const added = raised.flatMap(({ alarm }) =>
        matchers
          .filter(({ matches }) => matches(alarm))
          .map(({ route: { id: routeId, groupBy } }) => ({
            routeId,
            groupKey: groupKeyOf(groupBy, alarm),
            alarmId: alarm.id,
          })),
      )
      const cleared = changes.filter(({ isRaised }) => !isRaised).map(({ alarm }) => alarm.id)
      await groups.schedule(tx, [...added, ...(await groups.groupsOf(tx, cleared))])
      await groups.add(tx, added)
      await groups.clear(tx, cleared)
      return changes.length === max
    })
  }

  /** Handles one group that is due. False if there is none. One that fails is tried again later, after others. */
  async flushNext(): Promise<boolean> {
    const { postgres, groups, log } = this.#deps
    let taken: DueGroup | undefined
    try {
      return await postgres.transaction(async (tx) => {
        taken = await groups.takeDue(tx)
        if (!taken) return false
        await this.#flush(tx, taken)
        return true
      })
    } catch (error) {
      if (!taken) throw error
      const group = taken
      await postgres.transaction((tx) => groups.postpone(tx, group, failedS))
      log.warn(
        { err: error, route: group.routeId, group: group.groupKey },
        'messages of a group could not be made; it is tried again in 30 s',
      )
      return true
    }
  }

  /** For how long the oldest change, and the first group that is due, have been waiting. */
  async overdueS(): Promise<{ changes: number; groups: number }> {
    const { postgres, alarms, groups } = this.#deps
    return { changes: await alarms.oldestChangeS(), groups: await groups.overdueS(postgres.db) }
  }

  sweep(): Promise<void> {
    return this.#deps.groups.deleteEmpty(this.#deps.postgres.db, sweepSize)
  }

  async #flush(tx: Tx, group: DueGroup): Promise<void> {
    const { groups, routes, deliveries, hours } = this.#deps
    const route = await routes.find(tx, group.routeId)
    if (!route) return
    const entries = await groups.entries(tx, group, flushSize)
    const isFull = entries.length === flushSize
    const others = isFull ? (await groups.countDue(tx, group)) - entries.length : 0
    const plan = planOf(entries, await this.#alarmsOf(tx, entries), route, { others, now: new Date() })
    const targets = new Map<string, Target>()
    for (const id of receiversOf(plan, entries, route)) targets.set(id, await this.#target(tx, route, id))
    const outcome = outcomeOf(plan, entries, route, targets)
    for (const { receiver, kind, about } of outcome.messages) {
      const message = messageOf(about, route.groupBy, kind)
      const { groupKey } = group
      await deliveries.insert(tx, { id: newId(), kind, receiver, route, groupKey, ...message }, hours)
    }
    await this.#apply(tx, route, group, outcome)
    // Only in a large group, which is looked at in parts. Otherwise the time of the group is enough.
    if (isFull && plan.held.length > 0) await groups.hold(tx, group, plan.held, plan.holdS)
    await groups.finish(tx, group, {
      isNotified: outcome.messages.some(({ kind }) => kind === 'alarms'),
      intervalS: route.groupIntervalS,
      restS: restS(plan, outcome, isFull),
    })
  }

  async #alarmsOf(tx: Tx, entries: readonly Entry[]): Promise<Map<string, AlarmRow>> {
    const found = new Map<string, AlarmRow>()
    for (let start = 0; start < entries.length; start += readSize) {
      const ids = entries.slice(start, start + readSize).map(({ alarmId }) => alarmId)
      for (const alarm of await this.#deps.alarms.byIds(tx, ids)) found.set(alarm.id, alarm)
    }
    return found
  }

  async #target(tx: Tx, route: RouteRow, receiverId: string): Promise<Target> {
    const { receivers, deliveries, perHour, limits, log } = this.#deps
    const receiver = await receivers.find(receiverId, tx)
    if (!receiver?.isEnabled || !route.isEnabled) return { receiver: undefined, waitS: 0 }
    const { messages, freeInS } = await deliveries.recent(tx, receiverId, false)
    if (messages < perHour) return { receiver, waitS: 0 }
    limits.count('MANC_NOTIFICATIONS_PER_HOUR')
    log.warn(
      { receiver: receiverId, messages },
      'a receiver has got MANC_NOTIFICATIONS_PER_HOUR messages; its alarms wait and share a later message',
    )
    return { receiver, waitS: Math.min(Math.max(freeInS, 1), maxPostponeS) }
  }

  async #apply(tx: Tx, route: RouteRow, group: DueGroup, outcome: Outcome): Promise<void> {
    const { groups } = this.#deps
    const steps: [readonly string[], (ids: readonly string[]) => Promise<void>][] = [
      [outcome.notified, (ids) => groups.setNotified(tx, group, ids, route.escalateAfterS)],
      [outcome.removed, (ids) => groups.remove(tx, group, ids)],
      [outcome.escalated, (ids) => groups.endEscalation(tx, group, ids, route.escalateTo)],
      [outcome.settled, (ids) => groups.endEscalation(tx, group, ids, null)],
    ]
    for (const [ids, apply] of steps) if (ids.length > 0) await apply(ids)
  }
}

const idsOf = (changes: readonly AlarmChange[]): string[] => changes.map(({ id }) => id)

/** Seconds until alarms that are still due are looked at again. Others of a large group are at once. */
function restS({ held, holdS }: Plan, { waitS }: Outcome, isFull: boolean): number {
  if (isFull) return waitS
  const waits = [...(held.length > 0 ? [holdS] : []), ...(waitS > 0 ? [waitS] : [])]
  return waits.length > 0 ? Math.min(...waits) : 1
}
