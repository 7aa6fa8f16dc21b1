import type { JobKind } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { MailboxModule } from '../mailbox/index.ts'
import type { ThrottleModule } from '../throttle/index.ts'
import { CallbackClient } from './callback.client.ts'
import { type CallbackListener, callbackRoutes } from './callback.routes.ts'
import { CancellationService, type Canceller } from './cancellation.service.ts'
import { JobHandlers } from './handlers.registry.ts'
import { defineJobMetrics, JobGauges } from './jobs.metrics.ts'
import { jobRoutes } from './jobs.routes.ts'
import { JobService } from './jobs.service.ts'
import { JobStore } from './jobs.store.ts'
import { LeaseStore } from './leases.store.ts'
import { MessageService } from './messages.service.ts'
import { MessageStore } from './messages.store.ts'
import { OutboxPublisher } from './outbox.publisher.ts'
import { ReaderStore } from './readers.store.ts'
import { UserResults } from './user-results.loop.ts'
import { JobWorker, jobsWakeUp } from './worker.consumer.ts'

export type JobsModule = ReturnType<typeof createJobsModule>

interface Uses {
  mailbox: MailboxModule
  throttle: ThrottleModule
  /** Where the worker posts results, and the token it does so with. Known only after the API listens. */
  callbacks: { url: () => string; newToken: (lifetimeS: number) => Promise<string> }
}

const serviceTokenS = 120

export function createJobsModule(
  { config, log, postgres, rabbitMq, metrics, limits, tracing }: Platform,
  uses: Uses,
) {
  const { countCreated, countEnded } = defineJobMetrics(metrics)
  const { mailbox } = uses.mailbox
  const store = new JobStore(postgres)
  const outbox = new OutboxPublisher({ store, rabbitMq, log })
  const jobs = new JobService({
    postgres,
    store,
    outbox,
    limits,
    rates: uses.throttle.jobs,
    config,
    countCreated,
    tracing,
  })
  const userResults = new UserResults({
    store,
    unreadLimit: config.MANC_USER_UNREAD_BYTES,
    maxBytes: config.MANC_MAILBOXES_BYTES / 2,
    log,
  })
  metrics.gauge({
    name: 'manc_user_results_bytes',
    help: 'Undelivered results of all standard users and agents. Beyond half of MANC_MAILBOXES_BYTES their jobs wait for a client',
    read: () => (userResults.bytes === undefined ? [] : [{ labels: {}, value: userResults.bytes }]),
  })
  const messages = new MessageService({
    postgres,
    store: new MessageStore(postgres),
    readers: new ReaderStore(postgres),
    mailbox,
    userResults,
    jobs,
    limits,
    countEnded,
    keeps: { jobs: config.MANC_KEPT_RESULTS, bytes: config.MANC_KEPT_RESULTS_BYTES },
    maxUnreadBytes: config.MANC_MAILBOX_BYTES,
    userUnreadLimit: config.MANC_USER_UNREAD_BYTES,
    onContinued: () => rabbitMq.wakeUp(jobsWakeUp),
  })
  const cancellations = new CancellationService({ postgres, jobs, messages })
  const handlers = new JobHandlers()
  const callbackListeners: Record<string, CallbackListener> = {}
  const worker = new JobWorker({
    store: new LeaseStore(postgres),
    messages,
    callbacks: new CallbackClient({
      url: uses.callbacks.url,
      newToken: () => uses.callbacks.newToken(serviceTokenS),
      tokenLivesForS: serviceTokenS,
      tracing,
    }),
    rabbitMq,
    handlers,
    log,
    tracing,
  })
  return {
    jobs,
    messages,
    outbox,
    /** Where modules register the kinds of jobs that the worker does for them. */
    handlers,
    /** How jobs of this kind are cancelled, of modules with tables for them. */
    onCancel: (kind: JobKind, canceller: Canceller) => cancellations.register(kind, canceller),
    /** Results posted to this callback go to the listener before the job's mailbox. */
    onCallback: (operationId: string, listener: CallbackListener) => {
      callbackListeners[operationId] = listener
    },
    routes: (api: FastifyInstance) => {
      jobRoutes(api, { jobs, messages, cancellations })
      callbackRoutes(api, { messages, listeners: callbackListeners })
    },
    background: {
      api: [outbox, userResults],
      subscriber: [worker, userResults, new JobGauges({ store, metrics })],
    },
    sweep: () => jobs.sweep(config.MANC_MAILBOX_SECONDS),
  }
}
