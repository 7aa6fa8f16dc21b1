import type { AuditRecord } from '@manc/contract'
import { type AuditFilter, AuditMethods } from './generated/methods.ts'
import type { Stream } from './stream.ts'
import type { CallOptions } from './transport.ts'

export class Audit extends AuditMethods {
  /** All matching entries, newest first, in one response that is read while you iterate. */
  async *export({
    actor,
    action,
    target,
    from,
    to,
    ...options
  }: AuditFilter & CallOptions = {}): Stream<AuditRecord> {
    const query = { actor, action, target, from, to }
    for await (const line of this.transport.lines('exportAudit', { query }, options))
      yield JSON.parse(line) as AuditRecord
  }
}
