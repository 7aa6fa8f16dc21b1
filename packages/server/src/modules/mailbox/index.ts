export { createMailboxModule, type MailboxModule } from './mailbox.module.ts'
export type { MailboxService } from './mailbox.service.ts'
export {
  discardMessages,
  dropKept,
  hasMessageWithKey,
  insertMessages,
  pendingBytes,
} from './mailbox.store.ts'
export type { MailboxMessage, StoredMessage } from './mailbox.types.ts'
export { isReplicaAlive } from './replicas.store.ts'
