import type { Platform } from '../../module.ts'
import { MailboxService } from './mailbox.service.ts'
import { MailboxStore } from './mailbox.store.ts'
import { PartitionStore } from './partitions.store.ts'
import { ReplicaStore } from './replicas.store.ts'

export type MailboxModule = ReturnType<typeof createMailboxModule>

export function createMailboxModule({ config, log, postgres, rabbitMq }: Platform) {
  const mailbox = new MailboxService({
    store: new MailboxStore(postgres),
    partitions: new PartitionStore(postgres),
    replicas: new ReplicaStore(postgres),
    rabbitMq,
    keepS: config.MANC_MAILBOX_SECONDS,
    maxBytes: config.MANC_MAILBOXES_BYTES,
    log,
  })
  return {
    mailbox,
    background: { api: [{ start: () => mailbox.sweep() }] },
    sweep: () => mailbox.sweep(),
  }
}
