import type { Caller } from './access.ts'
import { Refused, tooMany } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { countedLimits, type Settings } from './settings.ts'

type LimitName = keyof typeof Settings.properties

/**
 * Whether the limits `MANC_USER_…` apply. Anyone may sign up as a standard user, and agents need little; operators,
 * administrators and apps were appointed by an administrator.
 */
export function hasUserLimits(caller: Caller): boolean {
  return caller.kind === 'user'
    ? caller.rank === 'user'
    : caller.kind !== 'third_party_app' && caller.kind !== 'service'
}

/** Counts how often callers reach a limit, so that an operator can tell which limit to raise. */
export class Limits {
  readonly #count: (labels: { limit: string }) => void

  constructor(metrics: Metrics) {
    this.#count = metrics.counter({
      name: 'manc_limit_reached_total',
      help: 'Requests and messages that were refused or delayed because their owner had reached a limit, by setting',
      labels: ['limit'],
      initial: countedLimits.map((limit) => ({ limit })),
    })
  }

  count(limit: LimitName): void {
    this.#count({ limit })
  }

  /** Counts, and returns the refusal. `detail` says what the caller can do. */
  refusal(limit: LimitName, detail: string, retryAfterS: number): Refused {
    this.count(limit)
    return tooMany(detail, retryAfterS)
  }
}
