import { formatWithUnit } from '../format/number.ts'

/** What a client did after a command to steer it. */
interface SteeringOutcome {
  isMoved: boolean
  /** The access point that it was asked to move to. */
  to: string
  /** Of its answer; undefined if it has not answered. */
  status: number | undefined
  tookMs: number | undefined
  cause: string | undefined
}

/** Reads the result of `steer_client <client> <ap_id>`; undefined if it is not one. */
export function steeringOutcomeOf(result: unknown): SteeringOutcome | undefined {
  if (typeof result !== 'object' || result === null) return undefined
  const { moved, to, status, interruption_ms, duration_ms, cause } = result as Record<string, unknown>
  if (typeof moved !== 'boolean' || typeof to !== 'string') return undefined
  return {
    isMoved: moved,
    to,
    status: numberOf(status),
    tookMs: numberOf(interruption_ms ?? duration_ms),
    cause: typeof cause === 'string' && cause !== '' ? cause : undefined,
  }
}

/** Status codes of 802.11v. */
const statusTexts: Partial<Record<number, string>> = {
  0: 'accepted',
  6: 'it has other candidates',
  7: 'no suitable candidate',
}

/**
 * `Moved to lifi-2 in 500 ms, with status 0 (accepted).`, `Refused with status 7 (no suitable candidate): The signal is too weak there.`
 * A client that has accepted and did not arrive has not refused.
 */
export function steeringText(
  { isMoved, to, status, tookMs, cause }: SteeringOutcome,
  nameOf: (apId: string) => string,
): string {
  const meaning = status !== undefined && statusTexts[status] ? ` (${statusTexts[status]})` : ''
  const code = status === undefined ? '' : `with status ${status}${meaning}`
  const afterComma = code && `, ${code}`
  if (isMoved)
    return `Moved to ${nameOf(to)}${tookMs === undefined ? '' : ` in ${formatWithUnit(tookMs, 'ms')}`}${afterComma}.`
  const what = status === undefined || status === 0 ? `Not moved${afterComma}` : `Refused ${code}`
  return `${what}${cause === undefined ? '.' : `: ${cause}`}`
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
