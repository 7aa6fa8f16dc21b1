import { growthBetween, type Stored } from './growth.ts'
import { failuresIn, latenciesOf, type Operation, type Phase } from './latencies.ts'

export interface PhaseRecord {
  phase: Phase
  /** Outcomes of the attackers' tactics. */
  attacks: Record<string, number>
  before: Stored
  after: Stored
  /** CPU time of each part, in percent of one core. */
  cpu: Record<string, number>
}

/** What the normal callers noticed, and what was stored, in one phase. */
export function reportOn(
  { phase, attacks, before, after, cpu }: PhaseRecord,
  operations: readonly Operation[],
  isDisturbed: (operation: Operation) => boolean,
) {
  const inPhase = operations.filter(({ startedAt }) => startedAt >= phase.from && startedAt < phase.to)
  const undisturbed = inPhase.filter((operation) => !isDisturbed(operation))
  const disturbed = inPhase.filter((operation) => isDisturbed(operation))
  return {
    phase: phase.name,
    latencies: latenciesOf(undisturbed),
    /** With operations during which the hypervisor gave the CPU to another machine. */
    all_latencies: latenciesOf(inPhase),
    disturbed_share: Number((1 - undisturbed.length / inPhase.length).toFixed(3)),
    failures: failuresIn(undisturbed),
    /** The server gives up on the database when the machine stands still for longer than a query may take. */
    disturbed_failures: failuresIn(disturbed),
    cpu,
    growth: growthBetween(before, after),
    attacks: Object.values(attacks).reduce((sum, count) => sum + count, 0),
    outcomes: attacks,
  }
}

export type PhaseReport = ReturnType<typeof reportOn>

/** Kinds of operations whose p99 is beyond the bound: twice that of the baseline, or the tolerance more. */
export function slowKinds(report: PhaseReport, baseline: PhaseReport, toleranceMs: number): string[] {
  return Object.entries(report.latencies).flatMap(([kind, { p99 }]) => {
    const normal = baseline.latencies[kind]?.p99 ?? 0
    const bound = Math.max(2 * normal, normal + toleranceMs)
    return p99 <= bound ? [] : [`${report.phase}, ${kind}: p99 ${p99} ms, at most ${bound} ms are allowed`]
  })
}

/** Errors in the log of a server. Levels of pino: 50 is an error, 60 is fatal. Other output is that of a crash. */
export function errorsIn(log: string): Record<string, number> {
  const errors: Record<string, number> = {}
  for (const line of log.split('\n')) {
    if (line === '') continue
    const entry = line.startsWith('{') ? JSON.parse(line) : { level: 60, msg: line }
    if (entry.level < 50) continue
    const key = [entry.msg, entry.status, entry.err?.message].filter((part) => part !== undefined).join(' ')
    errors[key] = (errors[key] ?? 0) + 1
  }
  return errors
}
