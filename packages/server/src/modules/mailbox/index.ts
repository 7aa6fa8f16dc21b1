export { MailboxService } from './mailbox.service.ts'
export { type Attached, type Letter, MailboxStore } from './mailbox.store.ts'
