export { createMailboxModule, type MailboxModule } from './mailbox.module.ts'
export type { MailboxService } from './mailbox.service.ts'
export type { Attached, Letter } from './mailbox.store.ts'
