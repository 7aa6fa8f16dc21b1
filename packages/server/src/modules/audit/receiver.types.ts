import type { AuditRecord } from '@manc/contract'

/** A file or a server that gets all audit entries. */
export interface AuditReceiver {
  /** Resolves when the receiver has the entries. If it rejects, all of them are sent again. */
  send(records: readonly AuditRecord[]): Promise<void>
}
