import type { HistoryEvent } from './history.ts'
import { acknowledgedOf, type Operation } from './operations.ts'
import type { Findings } from './sample-checks.ts'

const examples = (what: string, of: readonly string[]) =>
  of.length > 0 ? [`${what}: ${of.slice(0, 3).join(', ')}`] : []

const endsOf = (events: readonly HistoryEvent[]) =>
  new Map(events.filter((event) => event.type === 'ended').map((event) => [event.id, event]))

/** Every accepted job ends, with its full result or with a failure that is stated. */
export function checkJobs(events: readonly HistoryEvent[], operations: readonly Operation[]): Findings {
  const accepted = acknowledgedOf(operations, 'job')
  const ends = endsOf(events)
  const withoutEnd = accepted.filter(({ id }) => !ends.has(id)).map(({ subject }) => subject)
  const wrong = accepted.filter(({ id }) => ends.get(id)?.isWrong).map(({ subject }) => subject)
  return {
    acknowledged: accepted.length,
    violations: { jobs_without_end: withoutEnd.length, jobs_wrong: wrong.length },
    details: [...examples('jobs without an end', withoutEnd), ...examples('wrong results', wrong)],
  }
}

/** Every accepted command ends, is executed at most once, and ends as what was done with it. */
export function checkCommands(events: readonly HistoryEvent[], operations: readonly Operation[]): Findings {
  const accepted = acknowledgedOf(operations, 'command')
  const ends = endsOf(events)
  const executions = new Map<string, number>()
  for (const event of events)
    if (event.type === 'executed') executions.set(event.subject, (executions.get(event.subject) ?? 0) + 1)
  const withoutEnd = accepted.filter(({ id }) => !ends.has(id)).map(({ subject }) => subject)
  const twice = [...executions].filter(([, count]) => count > 1).map(([subject]) => subject)
  const contradicted = accepted
    .filter(({ id, subject }) => {
      const state = ends.get(id)?.state
      return executions.has(subject) ? state === 'expired' : state === 'succeeded'
    })
    .map(({ subject }) => subject)
  return {
    acknowledged: accepted.length,
    violations: {
      commands_without_end: withoutEnd.length,
      commands_twice: twice.length,
      commands_contradicted: contradicted.length,
    },
    details: [
      ...examples('commands without an end', withoutEnd),
      ...examples('commands executed twice', twice),
      ...examples('commands that ended otherwise than they were executed', contradicted),
    ],
  }
}

/** A token is refused from some time after the acknowledgement of its revocation on. */
export function checkRevocations(operations: readonly Operation[], revocationMs: number): Findings {
  const revokedAt = new Map(
    acknowledgedOf(operations, 'revoke', 'remove').map(({ subject, endedAt }) => [subject, endedAt]),
  )
  const late = acknowledgedOf(operations, 'probe').filter(
    ({ subject, beganAt }) => beganAt > (revokedAt.get(subject) ?? Infinity) + revocationMs,
  )
  return {
    acknowledged: revokedAt.size,
    violations: { revoked_accepted: late.length },
    details: examples(
      'revoked tokens that were accepted',
      late.map(({ subject, beganAt }) => `${subject} ${beganAt - (revokedAt.get(subject) ?? 0)} ms later`),
    ),
  }
}

/** Registered agents are listed, removed ones are not, and a follower of changes knows the same as the list. */
export function checkFleet(events: readonly HistoryEvent[], operations: readonly Operation[]): Findings {
  const agentsOf = (source: string) => {
    const found = events.findLast((event) => event.type === 'fleet' && event.source === source)
    return found?.type === 'fleet' ? found.agents : {}
  }
  const [listed, followed] = [agentsOf('listed'), agentsOf('followed')]
  const registered = acknowledgedOf(operations, 'register').map(({ subject }) => subject)
  const removed = new Set(acknowledgedOf(operations, 'remove').map(({ subject }) => subject))
  // Also with an unknown outcome: then it may be listed or not.
  const removing = new Set(operations.filter(({ kind }) => kind === 'remove').map(({ subject }) => subject))
  const lost = [
    ...registered.filter((apId) => !removing.has(apId) && !(apId in listed)),
    ...[...removed].filter((apId) => apId in listed),
  ]
  const all = new Set([...Object.keys(listed), ...Object.keys(followed)])
  const missed = [...all].filter((apId) => listed[apId] !== followed[apId])
  return {
    acknowledged: registered.length,
    violations: { registrations_lost: lost.length, changes_missed: missed.length },
    details: [
      ...examples('registrations or removals that were lost', lost),
      ...examples('changes that a follower missed', missed),
    ],
  }
}
