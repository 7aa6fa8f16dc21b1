import {
  type NotificationDelivery,
  type NotificationReceiver,
  type NotificationRoute,
  notificationDeliveryOperations,
  notificationReceiverOperations,
  notificationRouteOperations,
} from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import { linkNext, wrongAfter } from '../../http/paging.ts'
import { done, serve } from '../../http/serve.ts'
import { isUuid } from '../../ids.ts'
import type { DeliveryService } from './deliveries.service.ts'
import type { DeliveryRow, ReceiverRow, RouteRow } from './notifications.types.ts'
import type { ReceiverService } from './receivers.service.ts'
import type { RouteService } from './routes.service.ts'

const operations = {
  ...notificationReceiverOperations,
  ...notificationRouteOperations,
  ...notificationDeliveryOperations,
}

interface Deps {
  receivers: ReceiverService
  routes: RouteService
  deliveries: DeliveryService
}

export function notificationRoutes(app: FastifyInstance, { receivers, routes, deliveries }: Deps): void {
  serve(app, operations.listNotificationReceivers, async () => (await receivers.list()).map(toReceiver))

  serve(app, operations.createNotificationReceiver, async ({ body, by }) =>
    withSecret(await receivers.create(body, by)),
  )

  serve(app, operations.updateNotificationReceiver, async ({ params, body, by }) =>
    toReceiver(await receivers.update(params.id, body, by)),
  )

  serve(app, operations.deleteNotificationReceiver, async ({ params, by }) => {
    await receivers.delete(params.id, by)
    return done('The receiver was deleted.')
  })

  serve(app, operations.rotateNotificationSecret, async ({ params, by }) =>
    withSecret(await receivers.rotateSecret(params.id, by)),
  )

  serve(app, operations.testNotificationReceiver, async ({ params, by }) =>
    toDelivery(await deliveries.test(params.id, by)),
  )

  serve(app, operations.listNotificationRoutes, async () => (await routes.list()).map(toRoute))

  serve(app, operations.createNotificationRoute, async ({ body, by }) =>
    toRoute(await routes.create(body, by)),
  )

  serve(app, operations.updateNotificationRoute, async ({ params, body, by }) =>
    toRoute(await routes.update(params.id, body, by)),
  )

  serve(app, operations.deleteNotificationRoute, async ({ params, by }) => {
    await routes.delete(params.id, by)
    return done('The route was deleted.')
  })

  // The limit has a default in the contract, which validation applies.
  serve(app, operations.listNotificationDeliveries, async ({ query }, reply) => {
    const { limit = Number.NaN, after, receiver, status } = query
    if (after !== undefined && !isUuid(after)) throw wrongAfter('the id of a delivery')
    const filter = { ...(receiver !== undefined && { receiverId: receiver }), ...(status && { status }) }
    const page = await deliveries.page(filter, after, limit)
    if (page.length === limit) {
      const filters = new URLSearchParams({
        ...(receiver !== undefined && { receiver }),
        ...(status && { status }),
      })
      linkNext(reply, operations.listNotificationDeliveries, limit, page.at(-1)?.id, filters)
    }
    return page.map(toDelivery)
  })

  serve(app, operations.getNotificationDelivery, async ({ params }) => {
    const delivery = await deliveries.get(params.id)
    return { ...toDelivery(delivery), alarms: delivery.content.alarms }
  })

  serve(app, operations.retryNotificationDelivery, async ({ params, by }) =>
    toDelivery(await deliveries.retry(params.id, by)),
  )
}

const toReceiver = (receiver: ReceiverRow): NotificationReceiver => ({
  id: receiver.id,
  name: receiver.name,
  type: receiver.type,
  addresses: receiver.addresses,
  url: receiver.url,
  is_enabled: receiver.isEnabled,
  updated_at: receiver.updatedAt.toISOString(),
  updated_by: receiver.updatedBy,
})

const withSecret = (receiver: ReceiverRow & { secret: string | null }) => ({
  ...toReceiver(receiver),
  secret: receiver.secret,
})

const toRoute = (route: RouteRow): NotificationRoute => ({
  id: route.id,
  name: route.name,
  receiver_id: route.receiverId,
  severities: route.severities,
  technologies: route.technologies,
  ap_ids: route.apIds,
  rule_ids: route.ruleIds,
  emulated: route.emulated,
  group_by: route.groupBy,
  group_wait_s: route.groupWaitS,
  group_interval_s: route.groupIntervalS,
  notify_cleared: route.notifyCleared,
  escalate_after_s: route.escalateAfterS,
  escalate_to: route.escalateTo,
  quiet_hours: route.quietHours && { ...route.quietHours, except: route.quietHours.except ?? [] },
  is_enabled: route.isEnabled,
  updated_at: route.updatedAt.toISOString(),
  updated_by: route.updatedBy,
})

const toDelivery = (delivery: DeliveryRow): NotificationDelivery => ({
  id: delivery.id,
  kind: delivery.kind,
  receiver_id: delivery.receiverId,
  receiver: delivery.receiverName,
  type: delivery.type,
  route_id: delivery.routeId,
  route: delivery.routeName,
  subject: delivery.subject,
  raised: delivery.raised,
  cleared: delivery.cleared,
  status: delivery.status,
  attempts: delivery.attempts,
  created_at: delivery.createdAt.toISOString(),
  next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  sent_at: delivery.sentAt?.toISOString() ?? null,
  status_code: delivery.statusCode,
  error: delivery.error,
})
