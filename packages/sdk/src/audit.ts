import type { AuditAction, AuditRecord } from '@manc/contract'
import type { Stream } from './stream.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface AuditFilter {
  /** The whole name. */
  actor?: string
  action?: AuditAction
  /** Part of it. */
  target?: string
  from?: Date
  to?: Date
}

/** Who changed what. */
export class Audit {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The newest first, page by page as you iterate: `pageSize` is how many are asked for at once. */
  list({
    actor,
    action,
    target,
    from,
    to,
    pageSize = 100,
    ...options
  }: AuditFilter & { pageSize?: number } & CallOptions = {}): Stream<AuditRecord> {
    return this.#transport.pages('listAudit', { actor, action, target, from, to, limit: pageSize }, options)
  }
}
