import { DatedPartitions } from '../../engines/postgres.partitions.ts'
import type { Platform } from '../../module.ts'
import { MailboxService } from './mailbox.service.ts'
import { MailboxStore } from './mailbox.store.ts'
import { ReplicaStore } from './replicas.store.ts'

export type MailboxModule = ReturnType<typeof createMailboxModule>

export function createMailboxModule({ config, log, postgres, rabbitMq, metrics }: Platform) {
  const store = new MailboxStore(postgres)
  const mailbox = new MailboxService({
    store,
    partitions: new DatedPartitions(postgres, {
      table: 'mailbox',
      column: 'created_at',
      partitionS: 6 * 3600,
      deleteOther: (keepS, max) => store.deleteOther(keepS, max),
    }),
    replicas: new ReplicaStore(postgres),
    rabbitMq,
    keepS: config.MANC_MAILBOX_SECONDS,
    maxBytes: config.MANC_MAILBOXES_BYTES,
    log,
  })
  metrics.gauge({
    name: 'manc_mailbox_bytes',
    help: 'Messages of all mailboxes on disk, measured by api processes every 5 s',
    read: () => (mailbox.bytes === undefined ? [] : [{ labels: {}, value: mailbox.bytes }]),
  })
  metrics.gauge({
    name: 'manc_mailbox_bytes_limit',
    help: 'Size of all mailboxes beyond which jobs wait and posts to the callbacks are refused',
    read: () => [{ labels: {}, value: config.MANC_MAILBOXES_BYTES }],
  })
  return {
    mailbox,
    background: { api: [{ start: () => mailbox.prepare() }] },
    sweep: () => mailbox.sweep(),
  }
}
