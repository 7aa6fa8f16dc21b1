import type { Decision } from '@manc/contract'
import { type DecisionsFilter, DecisionsMethods } from './generated/methods.ts'
import type { Stream } from './stream.ts'
import type { CallOptions } from './transport.ts'

export class Decisions extends DecisionsMethods {
  /** All matching decisions, newest first, in one response that is read while you iterate. */
  async *export({
    owner,
    ap_id,
    client,
    state,
    from,
    to,
    ...options
  }: DecisionsFilter & CallOptions = {}): Stream<Decision> {
    const query = { owner, ap_id, client, state, from, to }
    for await (const line of this.transport.lines('exportDecisions', { query }, options))
      yield JSON.parse(line) as Decision
  }
}
