import { clientsQueue, deadLetterQueue, onboardingQueue, resultsQueue } from '@manc/contract'
import type { Platform } from '../../module.ts'
import type { AlarmsModule } from '../alarms/index.ts'
import type { IngestModule } from '../ingest/index.ts'
import type { JobsModule } from '../jobs/index.ts'
import type { MailboxModule } from '../mailbox/index.ts'
import type { NotificationsModule } from '../notifications/index.ts'
import { brokerDisk, brokerDiskPart, databasePart, storeDiskPart } from './disks.rules.ts'
import { vmalertPart } from './engines.rules.ts'
import type { PartSource, ProcessRow } from './parts.types.ts'
import { processesPart } from './processes.rules.ts'
import {
  agentMessagesPart,
  deadLettersPart,
  jobsPart,
  mailboxPart,
  notificationsPart,
  telemetryPart,
} from './queues.rules.ts'

export interface SystemUses {
  alarms: AlarmsModule
  ingest: IngestModule
  jobs: JobsModule
  mailbox: MailboxModule
  notifications: NotificationsModule
}

/** Failed deliveries are looked for among this many, the newest … */
const failedDeliveries = 200
/** … for this long: then they are no news. */
const failedForMs = 24 * 3_600_000
/** The database and the stores look at all their files. */
const sizesKeepMs = 30_000

/** The parts of the controller, except the engines themselves. */
export function partSources(
  { config, rabbitMq, victoria }: Platform,
  { alarms, ingest, jobs, mailbox, notifications }: SystemUses,
  own: { readProcesses: () => Promise<readonly ProcessRow[]>; databaseSize: () => Promise<number> },
): PartSource[] {
  const messagesIn = async (queues: readonly string[]) =>
    [...(await rabbitMq.countMessages(queues)).values()].reduce((sum, { messages }) => sum + messages, 0)
  return [
    {
      id: 'processes',
      name: 'Processes',
      read: async () => processesPart(await own.readProcesses()),
    },
    {
      id: 'vmalert',
      name: 'vmalert',
      read: async () => vmalertPart(await alarms.contacts.last(), config.MANC_ALARM_INTERVAL_SECONDS),
    },
    {
      id: 'telemetry_queues',
      name: 'Telemetry queues',
      read: async () => {
        const { queues, ...lag } = await ingest.queues.lag()
        return telemetryPart({ messages: await messagesIn(queues), ...lag })
      },
    },
    {
      id: 'agent_messages',
      name: 'Messages of agents',
      read: async () => agentMessagesPart(await messagesIn([onboardingQueue, resultsQueue, clientsQueue])),
    },
    {
      id: 'dead_letters',
      name: 'Dead letters',
      read: async () => deadLettersPart(await messagesIn([deadLetterQueue])),
    },
    {
      id: 'jobs',
      name: 'Jobs',
      read: async () => jobsPart(await jobs.jobs.backlog()),
    },
    {
      id: 'notifications',
      name: 'Notifications',
      read: async () => {
        const since = Date.now() - failedForMs
        const newest = await notifications.deliveries.page({ status: 'failed' }, undefined, failedDeliveries)
        return notificationsPart({
          failed: newest
            .filter(({ kind, createdAt }) => kind !== 'test' && createdAt.getTime() > since)
            .map(({ receiverName }) => receiverName),
          oldestQueuedS: await notifications.deliveries.oldestQueuedS(),
        })
      },
    },
    {
      id: 'mailboxes',
      name: 'Mailboxes',
      read: async () => mailboxPart(mailbox.mailbox.bytes, config.MANC_MAILBOXES_BYTES),
    },
    {
      id: 'database_size',
      name: 'Disk of PostgreSQL',
      keepMs: sizesKeepMs,
      read: async () => databasePart(await own.databaseSize()),
    },
    ...victoria.stores.map((store, n) => ({
      id: victoria.stores.length === 1 ? 'metrics_store_disk' : `metrics_store_disk_${n + 1}`,
      name: victoria.stores.length === 1 ? 'Disk of the metrics store' : `Disk of metrics store ${n + 1}`,
      keepMs: sizesKeepMs,
      read: async () => storeDiskPart(await store.disk()),
    })),
  ]
}

/** What only processes with the address of the management API can measure, usually the subscribers. */
export function reportedSources({ management }: Platform): PartSource[] {
  if (!management) return []
  return [{ ...brokerDisk, keepMs: sizesKeepMs, read: async () => brokerDiskPart(await management.nodes()) }]
}
