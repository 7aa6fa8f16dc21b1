import type { NotificationRouteCreate } from '@manc/contract'
import type { Postgres, Tx } from '../../engines/postgres.ts'
import { invalid, notFound, Refused } from '../../errors.ts'
import { isUuid, newId } from '../../ids.ts'
import { type Actor, recordAudit } from '../audit/index.ts'
import type { NewRoute, RouteRow } from './notifications.types.ts'
import type { ReceiverStore } from './receivers.store.ts'
import { routeOf, wrongMembers } from './route-members.rules.ts'
import type { RouteStore } from './routes.store.ts'

interface Deps {
  postgres: Postgres
  store: RouteStore
  receivers: ReceiverStore
  maxRoutes: number
  onLimit: () => void
  /** In the transaction that changes a route. */
  onUpdate: (tx: Tx, routeId: string) => Promise<void>
}

/** Which alarms are sent to which receiver. */
export class RouteService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  list(): Promise<RouteRow[]> {
    return this.#deps.store.all()
  }

  async create(given: NotificationRouteCreate, by: Actor): Promise<RouteRow> {
    const { postgres, store, maxRoutes, onLimit } = this.#deps
    const route = checked(given, newId(), by)
    return postgres.transaction(async (tx) => {
      if ((await store.count(tx)) >= maxRoutes) {
        onLimit()
        throw new Refused('conflict', `There are ${maxRoutes} routes. Delete one first.`)
      }
      await this.#checkReceivers(tx, route)
      const inserted = await store.insert(tx, route)
      const detail = detailOf(route)
      await recordAudit(tx, by, { action: 'notification-route.create', target: route.id, detail })
      return inserted
    })
  }

  async update(id: string, given: NotificationRouteCreate, by: Actor): Promise<RouteRow> {
    const { postgres, store, onUpdate } = this.#deps
    const route = checked(given, id, by)
    return postgres.transaction(async (tx) => {
      await this.#checkReceivers(tx, route)
      const updated = isUuid(id) ? await store.update(tx, route) : undefined
      if (!updated) throw notFound('Route')
      await onUpdate(tx, id)
      const detail = detailOf(route)
      await recordAudit(tx, by, { action: 'notification-route.update', target: id, detail })
      return updated
    })
  }

  async delete(id: string, by: Actor): Promise<void> {
    const { postgres, store } = this.#deps
    await postgres.transaction(async (tx) => {
      const deleted = isUuid(id) ? await store.delete(tx, id) : undefined
      if (!deleted) throw notFound('Route')
      await recordAudit(tx, by, { action: 'notification-route.delete', target: id, detail: deleted })
    })
  }

  async #checkReceivers(tx: Tx, { receiverId, escalateTo }: NewRoute): Promise<void> {
    const ids = new Set([receiverId, ...(escalateTo === null ? [] : [escalateTo])])
    if ((await this.#deps.receivers.countOf(tx, [...ids])) === ids.size) return
    const msg = 'Value error, it should be the id of a receiver'
    const found = await this.#deps.receivers.find(receiverId, tx)
    throw invalid([{ loc: ['body', found ? 'escalate_to' : 'receiver_id'], msg, type: 'value_error' }])
  }
}

function checked(given: NotificationRouteCreate, id: string, by: Actor): NewRoute {
  const route = routeOf(given, { id, by: by.name })
  const problems = wrongMembers(route)
  if (problems.length > 0) throw invalid(problems)
  return route
}

const detailOf = (route: NewRoute) => ({
  name: route.name,
  receiver_id: route.receiverId,
  severities: route.severities,
  technologies: route.technologies,
  ap_ids: route.apIds,
  rule_ids: route.ruleIds,
  emulated: route.emulated,
  group: [route.groupBy, route.groupWaitS, route.groupIntervalS],
  notify_cleared: route.notifyCleared,
  escalate: [route.escalateAfterS, route.escalateTo],
  quiet_hours: route.quietHours,
  is_enabled: route.isEnabled,
})
