import type { FastifyInstance } from 'fastify'
import { Webhooks } from '../../engines/webhook.ts'
import { Loop } from '../../loop.ts'
import type { Background, Platform } from '../../module.ts'
import type { AlarmsModule } from '../alarms/index.ts'
import { DeliveryService } from './deliveries.service.ts'
import { DeliveryStore } from './deliveries.store.ts'
import { GroupStore } from './groups.store.ts'
import { notificationRoutes } from './notifications.routes.ts'
import { NotifierService } from './notifier.service.ts'
import { ReceiverService } from './receivers.service.ts'
import { ReceiverStore } from './receivers.store.ts'
import { RouteService } from './routes.service.ts'
import { RouteStore } from './routes.store.ts'
import { SenderService } from './sender.service.ts'
import { WebhookSecretService } from './webhook-secrets.service.ts'

const intervalMs = 1000
const readingKeptMs = 5000

export type NotificationsModule = ReturnType<typeof createNotificationsModule>

export function createNotificationsModule(platform: Platform, { alarms }: { alarms: AlarmsModule }) {
  const { config, log, postgres, secrets, mail, limits, metrics } = platform
  const receiverStore = new ReceiverStore(postgres)
  const routeStore = new RouteStore(postgres)
  const deliveryStore = new DeliveryStore(postgres)
  const groups = new GroupStore()
  const webhooks = new Webhooks({ mayBePrivate: config.MANC_WEBHOOK_PRIVATE === 'true' })
  const receivers = new ReceiverService({
    postgres,
    store: receiverStore,
    routes: routeStore,
    deliveries: deliveryStore,
    secrets,
    maxReceivers: config.MANC_NOTIFICATION_RECEIVERS,
    onLimit: () => limits.count('MANC_NOTIFICATION_RECEIVERS'),
    mayBePrivate: webhooks.mayBePrivate,
  })
  const routes = new RouteService({
    postgres,
    store: routeStore,
    receivers: receiverStore,
    maxRoutes: config.MANC_NOTIFICATION_ROUTES,
    onLimit: () => limits.count('MANC_NOTIFICATION_ROUTES'),
    onUpdate: (tx, routeId) => groups.scheduleRoute(tx, routeId),
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
  const notifier = new NotifierService({
    postgres,
    alarms: alarms.alarms,
    groups,
    routes: routeStore,
    receivers: receiverStore,
    deliveries: deliveryStore,
    limits,
    log,
    perHour: config.MANC_NOTIFICATIONS_PER_HOUR,
    hours: config.MANC_NOTIFICATION_HOURS,
  })
  const sender = new SenderService({
    store: deliveryStore,
    mail,
    webhooks,
    secrets,
    log,
    publicUrl: config.MANC_PUBLIC_URL,
    count: metrics.counter({
      name: 'manc_notification_deliveries_total',
      help: 'Attempts of this process to send a message about alarms, by type of the receiver and result',
      labels: ['type', 'result'],
      initial: (['email', 'webhook'] as const).flatMap((type) =>
        (['sent', 'retried', 'failed'] as const).map((result) => ({ type, result })),
      ),
    }),
    onDone: () => sending.runNow(),
  })
  metrics.gauge({
    name: 'manc_notification_oldest_queued_seconds',
    help: 'Age of the oldest message about alarms that is not sent yet; 0 if there is none',
    keepMs: readingKeptMs,
    read: async () => [{ labels: {}, value: await deliveries.oldestQueuedS() }],
  })
  metrics.gauge({
    name: 'manc_notification_overdue_seconds',
    help: 'For how long the oldest change of an alarm (changes), and the first group that is due (groups), have been waiting; 0 if none is',
    labels: ['queue'],
    keepMs: readingKeptMs,
    read: async () =>
      Object.entries(await notifier.overdueS()).map(([queue, value]) => ({ labels: { queue }, value })),
  })
  const sending = new Loop({
    name: 'sending notifications',
    intervalMs,
    log,
    run: () => sender.startDue(),
  })
  // Apart, so that one that fails does not stop the other.
  const taking = new Loop({
    name: 'changes of alarms for notifications',
    intervalMs,
    log,
    run: async (signal) => {
      while (!signal.aborted && (await notifier.takeChanges()));
    },
  })
  const flushing = new Loop({
    name: 'notifications of alarms',
    intervalMs,
    log,
    run: async (signal) => {
      while (!signal.aborted && (await notifier.flushNext())) sending.runNow()
    },
  })
  return {
    deliveries,
    routes: (api: FastifyInstance) => notificationRoutes(api, { receivers, routes, deliveries }),
    background: {
      subscriber: [
        taking,
        flushing,
        {
          start: () => sending.start(),
          stop: async () => {
            await sending.stop()
            await sender.settled()
          },
        },
      ] satisfies Background[],
    },
    sweep: async () => {
      await deliveries.sweep()
      await notifier.sweep()
    },
    dataKeyUses: [new WebhookSecretService({ postgres, store: receiverStore, secrets })],
  }
}
