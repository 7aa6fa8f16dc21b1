import type { EventOf, HistoryEvent, Kind, Outcome } from './history.ts'
import { checkCommands, checkFleet, checkJobs, checkRevocations } from './operation-checks.ts'
import { type Operation, operationsOf } from './operations.ts'
import { type Recovery, recoveryOf } from './recovery.ts'
import { checkSamples } from './sample-checks.ts'

export interface Verdict {
  name: string
  seed: number
  /** How many operations of each kind ended how. */
  operations: Partial<Record<Kind, Record<Outcome, number>>>
  /** Violations are 0 in a history that is correct. */
  violations: Record<string, number>
  /** Acknowledged operations, which the violations refer to. */
  acknowledged: Record<string, number>
  recovery: Partial<Record<Kind, Recovery>>
  /** The longest of all kinds, from the begin or the end of the fault, as the configuration states. */
  recoveryS: number
  /** Examples of violations, and what failed of the run itself. */
  details: string[]
}

/** The status of a server that cannot serve at the moment. Any other error is one of the server. */
const unavailable = '503'

/** Judges a recorded history. It knows nothing else, so that a file can be judged again later. */
export function check(events: readonly HistoryEvent[]): Verdict {
  const configured = events.find((event): event is EventOf<'configured'> => event.type === 'configured')
  if (!configured) throw new Error('The history has no configuration.')
  const operations = operationsOf(events)
  const samples = checkSamples(events, operations, configured)
  const jobs = checkJobs(events, operations)
  const commands = checkCommands(events, operations)
  const revocations = checkRevocations(operations, configured.revocationMs)
  const fleet = checkFleet(events, operations)
  const wrong = operations.filter(isWrongAnswer)
  const problems = events.filter((event) => event.type === 'problem')
  const { recovery, recoveryS } = recoveryOf(events, operations, configured.recovery.from)
  const late = Object.entries(recovery).filter(([, { seconds }]) => seconds > configured.recovery.withinS)
  return {
    name: configured.name,
    seed: configured.seed,
    operations: outcomesOf(operations),
    acknowledged: {
      samples: samples.acknowledged,
      jobs: jobs.acknowledged,
      commands: commands.acknowledged,
      revocations: revocations.acknowledged,
      registrations: fleet.acknowledged,
    },
    violations: {
      ...samples.violations,
      ...jobs.violations,
      ...commands.violations,
      ...revocations.violations,
      ...fleet.violations,
      wrong_answers: wrong.length,
      late_recoveries: late.length,
      problems: problems.length,
    },
    recovery,
    recoveryS,
    details: [
      ...[samples, jobs, commands, revocations, fleet].flatMap(({ details }) => details),
      ...wrong.slice(0, 5).map(({ kind, detail }) => `${kind} was answered with ${detail}`),
      ...late.map(([kind, { seconds }]) => `${kind} succeeded again after ${seconds} s`),
      ...problems.map(({ detail }) => detail),
    ],
  }
}

export const isPassed = ({ violations }: Verdict): boolean =>
  Object.values(violations).every((count) => count === 0)

/** Of a valid request. A revoked token is refused, and a connection that ends has no status. */
function isWrongAnswer({ kind, outcome, detail = '' }: Operation): boolean {
  return outcome === 'fail' && kind !== 'probe' && /^\d{3}$/.test(detail) && detail !== unavailable
}

function outcomesOf(operations: readonly Operation[]): Verdict['operations'] {
  const counts: Verdict['operations'] = {}
  for (const { kind, outcome } of operations) {
    const ofKind = (counts[kind] ??= { ok: 0, fail: 0, unknown: 0 })
    ofKind[outcome] += 1
  }
  return counts
}
