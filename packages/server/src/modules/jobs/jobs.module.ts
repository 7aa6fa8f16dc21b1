import type { FastifyInstance } from 'fastify'
import type { Platform } from '../../module.ts'
import type { MailboxModule } from '../mailbox/index.ts'
import { Courier } from './courier.ts'
import { JobHandlers } from './handlers.ts'
import { type CallbackListener, callbackRoutes, jobRoutes } from './jobs.routes.ts'
import { JobService } from './jobs.service.ts'
import { JobStore } from './jobs.store.ts'
import { LeaseStore } from './leases.store.ts'
import { MessageService } from './messages.service.ts'
import { MessageStore } from './messages.store.ts'
import { Outbox } from './outbox.ts'
import { Worker } from './worker.ts'

export type JobsModule = ReturnType<typeof createJobsModule>

interface Uses {
  mailbox: MailboxModule
  /** Where the worker posts results, and the token it does so with. Known only after the API listens. */
  callbacks: { url: () => string; newToken: (lifetimeS: number) => Promise<string> }
}

const serviceTokenS = 120

export function createJobsModule({ config, log, postgres, rabbitMq }: Platform, uses: Uses) {
  const { mailbox } = uses.mailbox
  const store = new JobStore(postgres)
  const outbox = new Outbox({ store, rabbitMq, log })
  const jobs = new JobService({ postgres, store, outbox, livesForS: config.MANC_JOB_SECONDS })
  const messages = new MessageService({
    postgres,
    store: new MessageStore(postgres),
    mailbox,
    keepS: config.MANC_MAILBOX_SECONDS,
    maxUnreadBytes: config.MANC_MAILBOX_BYTES,
  })
  const handlers = new JobHandlers()
  const callbackListeners: Record<string, CallbackListener> = {}
  const worker = new Worker({
    store: new LeaseStore(postgres),
    messages,
    courier: new Courier({
      url: uses.callbacks.url,
      newToken: () => uses.callbacks.newToken(serviceTokenS),
      tokenLivesForS: serviceTokenS,
    }),
    rabbitMq,
    handlers,
    log,
  })
  return {
    jobs,
    messages,
    outbox,
    /** Modules register here how their kind of job is done. */
    handlers,
    /** Results posted to this callback go to the listener before the job's mailbox. */
    onCallback: (operationId: string, listener: CallbackListener) => {
      callbackListeners[operationId] = listener
    },
    routes: (api: FastifyInstance) => {
      jobRoutes(api, { jobs })
      callbackRoutes(api, { messages, listeners: callbackListeners })
    },
    background: { api: [outbox], subscriber: [worker] },
    sweep: () => jobs.sweep(config.MANC_MAILBOX_SECONDS),
  }
}
