import type { Caller } from '../../access.ts'
import { escapeForRegExp } from '../../engines/victoria.reads.ts'
import { forbidden, Refused } from '../../errors.ts'

/** The store compiles the filter for each query. Some hundred patterns fit. */
const maxFilterLength = 16_384

/**
 * The label filter of the agents that the caller may see. Series without `ap_id` are not telemetry, and are seen by none:
 * a pattern such as `*` would also match a label that is missing.
 */
export function agentFilter(caller: Caller): string {
  if (caller.kind === 'user') return '{ap_id!=""}'
  if (caller.kind !== 'third_party_app') throw forbidden()
  // An empty alternative would match no label, and an empty list of alternatives as well.
  const patterns = caller.agents.filter((pattern) => pattern !== '')
  if (patterns.length === 0) throw forbidden()
  if (patterns.includes('*')) return '{ap_id!=""}'
  const expression = JSON.stringify([...new Set(patterns)].map(expressionOf).join('|'))
  if (expression.length > maxFilterLength)
    throw new Refused(
      'forbidden',
      'The permissions of this app have too many agents for a query. Use patterns with * instead of ids.',
    )
  return `{ap_id!="",ap_id=~${expression}}`
}

/** The store matches the whole label. */
const expressionOf = (pattern: string): string => pattern.split('*').map(escapeForRegExp).join('.*')
