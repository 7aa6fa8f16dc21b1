import type { HistoryEvent, Kind } from './history.ts'
import { acknowledgedOf, type Operation } from './operations.ts'

export interface Recovery {
  /**
   * The longest time without a success, from the begin of the fault or from its end on. The first success alone would not
   * show an outage that follows later, such as a failover.
   */
  seconds: number
  /** From the begin of the fault until the last failure; 0 without one. */
  failuresUntilS: number
}

/** Kinds that are too rare, or that are supposed to be refused, have no recovery. */
const measured: readonly Kind[] = ['mqtt', 'http', 'login', 'register', 'job', 'command', 'changes', 'read']

export function recoveryOf(
  events: readonly HistoryEvent[],
  operations: readonly Operation[],
  from: 'begin' | 'end',
): { recovery: Partial<Record<Kind, Recovery>>; recoveryS: number } {
  const at = (phase: string) =>
    events.find((event) => event.type === 'fault' && event.phase === phase)?.at ?? Number.NaN
  const [beganAt, overAt] = [at('begin'), at('over')]
  const [countedFrom, effectiveAt] = from === 'begin' ? [beganAt, at('effective')] : [at('end'), at('end')]
  // Without a fault there is nothing to recover from.
  if (Number.isNaN(countedFrom)) return { recovery: {}, recoveryS: 0 }
  const recovery = Object.fromEntries(
    measured.map((kind): [Kind, Recovery] => {
      const later = operations.filter(
        (each) => each.kind === kind && each.beganAt >= beganAt && !(each.beganAt > overAt),
      )
      const successes = acknowledgedOf(later, kind).filter((each) => each.beganAt >= effectiveAt)
      const failures = later.filter(({ outcome }) => outcome !== 'ok')
      return [
        kind,
        {
          seconds: successes.length > 0 ? tenths(longestGap(countedFrom, successes, later)) : Infinity,
          failuresUntilS: failures.length > 0 ? tenths(lastOf(failures) - beganAt) : 0,
        },
      ]
    }),
  )
  return { recovery, recoveryS: Math.max(...Object.values(recovery).map(({ seconds }) => seconds)) }
}

/** Also between the last success and a failure after it. */
function longestGap(from: number, successes: readonly Operation[], all: readonly Operation[]): number {
  const ends = successes.map(({ endedAt }) => endedAt).toSorted((a, b) => a - b)
  const times = [from, ...ends, Math.max(lastOf(all), ends.at(-1) ?? 0)]
  return times.reduce((longest, at, n) => Math.max(longest, at - (times[n - 1] ?? at)), 0)
}

/** The begin counts for those that have never ended. */
const lastOf = (operations: readonly Operation[]) =>
  operations.reduce(
    (last, { beganAt, endedAt }) => Math.max(last, endedAt === Infinity ? beganAt : endedAt),
    0,
  )
const tenths = (ms: number) => Math.round(ms / 100) / 10
