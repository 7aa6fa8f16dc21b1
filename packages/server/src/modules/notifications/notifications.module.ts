import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import { DeliveryService } from './deliveries.service.ts'
import { DeliveryStore } from './deliveries.store.ts'
import { notificationRoutes } from './notifications.routes.ts'
import { ReceiverService } from './receivers.service.ts'
import { ReceiverStore } from './receivers.store.ts'
import { RouteService } from './routes.service.ts'
import { RouteStore } from './routes.store.ts'

export type NotificationsModule = ReturnType<typeof createNotificationsModule>

export function createNotificationsModule({ config, postgres, secrets, limits }: Platform) {
  const receiverStore = new ReceiverStore(postgres)
  const routeStore = new RouteStore(postgres)
  const deliveryStore = new DeliveryStore(postgres)
  const receivers = new ReceiverService({
    postgres,
    store: receiverStore,
    routes: routeStore,
    deliveries: deliveryStore,
    secrets,
    maxReceivers: config.MANC_NOTIFICATION_RECEIVERS,
    onLimit: () => limits.count('MANC_NOTIFICATION_RECEIVERS'),
    mayBePrivate: config.MANC_WEBHOOK_PRIVATE === 'true',
  })
  const routes = new RouteService({
    postgres,
    store: routeStore,
    receivers: receiverStore,
    maxRoutes: config.MANC_NOTIFICATION_ROUTES,
    onLimit: () => limits.count('MANC_NOTIFICATION_ROUTES'),
    onUpdate: async () => {},
  })
  const deliveries = new DeliveryService({
    postgres,
    store: deliveryStore,
    receivers: receiverStore,
    limits,
    testsPerHour: config.MANC_NOTIFICATION_TESTS_PER_HOUR,
    hours: config.MANC_NOTIFICATION_HOURS,
    retentionDays: config.MANC_NOTIFICATION_DAYS,
  })
  return {
    deliveries,
    routes: (api: FastifyInstance) => notificationRoutes(api, { receivers, routes, deliveries }),
    sweep: () => deliveries.sweep(),
  }
}
