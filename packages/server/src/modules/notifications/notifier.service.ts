import type { DeliveryKind } from '@manc/contract'
import type { Logger } from 'pino'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { newId } from '../../ids.ts'
import type { Limits } from '../../limits.ts'
import type { AlarmRow, AlarmService } from '../alarms/index.ts'
import type { DeliveryStore } from './deliveries.store.ts'
import { type Plan, planOf } from './flush.rules.ts'
import type { DueGroup, GroupStore } from './groups.store.ts'
import { matcherOf } from './matching.rules.ts'
import { groupKeyOf, messageOf } from './message.format.ts'
import type { ReceiverRow, RouteRow } from './notifications.types.ts'
import type { ReceiverStore } from './receivers.store.ts'
import type { RouteStore } from './routes.store.ts'

interface Deps {
  postgres: Postgres
  alarms: Pick<AlarmService, 'takeChanges' | 'byIds'>
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
const changesSize = 500
/** Alarms of one message. More of them are in the next one. */
const flushSize = 5000
const maxPostponeS = 60

/**
 * From alarms to messages. Any number of replicas: changes and groups are taken with locks, and what was taken is changed in
 * the same transaction, so that an alarm is in one message of a route.
 */
export class NotifierService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Adds changed alarms to the groups of the routes that match. True if there may be more. */
  async takeChanges(): Promise<boolean> {
    const { postgres, alarms, groups, routes } = this.#deps
    return postgres.transaction(async (tx) => {
      const changes = await alarms.takeChanges(tx, changesSize)
      if (changes.length === 0) return false
      const matchers = (await routes.all(tx)).map((route) => ({ route, matches: matcherOf(route) }))
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
      return changes.length === changesSize
    })
  }

  /** Handles one group that is due. False if there is none. */
  async flushNext(): Promise<boolean> {
    return this.#deps.postgres.transaction(async (tx) => {
      const group = await this.#deps.groups.takeDue(tx)
      if (!group) return false
      await this.#flush(tx, group)
      return true
    })
  }

  sweep(): Promise<void> {
    return this.#deps.groups.deleteEmpty(this.#deps.postgres.db, flushSize)
  }

  async #flush(tx: Tx, group: DueGroup): Promise<void> {
    const { alarms, groups, routes } = this.#deps
    const route = await routes.find(tx, group.routeId)
    if (!route) return
    const entries = await groups.entries(tx, group, flushSize)
    const rows = await alarms.byIds(
      tx,
      entries.map(({ alarmId }) => alarmId),
    )
    const byId = new Map(rows.map((alarm) => [alarm.id, alarm]))
    const plan = planOf(entries, byId, route, { mayNotify: group.mayNotify, now: new Date() })
    const wasEscalated = Map.groupBy(
      entries.filter(({ state, escalatedTo }) => state === 'cleared' && escalatedTo !== null),
      ({ escalatedTo }) => escalatedTo,
    )
    const clearedIds = new Set(idsOf(plan.cleared))
    const messages = [
      { to: route.receiverId, kind: 'alarms' as const, about: [...plan.raised, ...plan.cleared] },
      { to: route.escalateTo, kind: 'escalation' as const, about: plan.escalated },
      ...Array.from(wasEscalated, ([to, ofReceiver]) => ({
        to,
        kind: 'escalation' as const,
        about: ofReceiver.flatMap(({ alarmId }) =>
          clearedIds.has(alarmId) ? (byId.get(alarmId) ?? []) : [],
        ),
      })),
    ].filter(({ about }) => about.length > 0)
    for (const { to } of messages) {
      const waitS = await this.#waitS(tx, to)
      if (waitS > 0) return groups.postpone(tx, group, waitS)
    }
    for (const message of messages) await this.#queue(tx, route, group, message)
    await this.#apply(tx, route, group, plan)
  }

  /** Seconds until a receiver may get another message; 0: now. */
  async #waitS(tx: Tx, receiverId: string | null): Promise<number> {
    const { deliveries, perHour, limits, log } = this.#deps
    if (receiverId === null) return 0
    const { messages, freeInS } = await deliveries.recent(tx, receiverId, false)
    if (messages < perHour) return 0
    limits.count('MANC_NOTIFICATIONS_PER_HOUR')
    log.warn(
      { receiver: receiverId, messages },
      'a receiver has got MANC_NOTIFICATIONS_PER_HOUR messages; its alarms wait and share a later message',
    )
    return Math.min(Math.max(freeInS, 1), maxPostponeS)
  }

  /** Nothing is sent by a route or to a receiver that is disabled. */
  async #queue(
    tx: Tx,
    route: RouteRow,
    { groupKey }: DueGroup,
    { to, kind, about }: { to: string | null; kind: DeliveryKind; about: readonly AlarmRow[] },
  ): Promise<void> {
    const { receivers, deliveries, hours } = this.#deps
    const receiver: ReceiverRow | undefined = to === null ? undefined : await receivers.find(to, tx)
    if (!receiver?.isEnabled || !route.isEnabled) return
    const message = messageOf(about, route.groupBy, kind)
    await deliveries.insert(tx, { id: newId(), kind, receiver, route, groupKey, ...message }, hours)
  }

  async #apply(tx: Tx, route: RouteRow, group: DueGroup, plan: Plan): Promise<void> {
    const { groups } = this.#deps
    const { raised, cleared, escalated, settled, dropped, held, holdS } = plan
    const steps: [readonly string[], (ids: readonly string[]) => Promise<void>][] = [
      [idsOf(raised), (ids) => groups.setNotified(tx, group, ids, route.escalateAfterS)],
      [[...idsOf(cleared), ...dropped], (ids) => groups.remove(tx, group, ids)],
      [idsOf(escalated), (ids) => groups.endEscalation(tx, group, ids, route.escalateTo)],
      [settled, (ids) => groups.endEscalation(tx, group, ids, null)],
      [held, (ids) => groups.hold(tx, group, ids, holdS)],
    ]
    for (const [ids, apply] of steps) if (ids.length > 0) await apply(ids)
    const isNotified = raised.length + cleared.length > 0
    await groups.finish(tx, group, { isNotified, intervalS: route.groupIntervalS })
  }
}

const idsOf = (alarms: readonly AlarmRow[]): string[] => alarms.map(({ id }) => id)
