import { expect, it } from 'vitest'
import { check, isPassed } from './checker.ts'
import type { HistoryEvent, Kind } from './history.ts'

const stores = ['store-1', 'store-2']

/** A history without a violation: one operation of each kind before and after a fault between 10 s and 20 s. */
function correctHistory(): HistoryEvent[] {
  return [
    {
      at: 0,
      type: 'configured',
      name: 'example',
      seed: 7,
      metrics: 2,
      stores,
      recovery: { from: 'begin', withinS: 30 },
      revocationMs: 1000,
    },
    ...operation('mqtt', 1000, 'ap-1 1000'),
    ...operation('http', 1000, 'ap-2 1000'),
    ...operation('revoke', 2000, 'token-1'),
    ...operation('remove', 2000, 'ap-old'),
    { at: 10_000, type: 'fault', phase: 'begin' },
    { at: 10_100, type: 'fault', phase: 'effective' },
    { at: 20_000, type: 'fault', phase: 'end' },
    ...operation('mqtt', 21_000, 'ap-1 21000'),
    ...operation('http', 21_000, 'ap-2 21000'),
    ...operation('login', 21_000),
    ...operation('register', 21_000, 'ap-new'),
    ...operation('changes', 21_000),
    ...operation('read', 21_000),
    ...operation('job', 21_000, 'job-a'),
    ...operation('command', 21_000, 'command-a'),
    { at: 22_000, type: 'ended', id: 'job job-a 21000', state: 'succeeded', isWrong: false },
    { at: 22_000, type: 'executed', subject: 'command-a' },
    { at: 22_000, type: 'ended', id: 'command command-a 21000', state: 'succeeded', isWrong: false },
    ...['ap-1 1000', 'ap-2 1000', 'ap-1 21000', 'ap-2 21000'].flatMap((subject) => stored(subject)),
    { at: 30_000, type: 'fleet', source: 'followed', agents: { 'ap-new': 'online' } },
    { at: 30_000, type: 'fleet', source: 'listed', agents: { 'ap-new': 'online' } },
  ]
}

function operation(kind: Kind, at: number, subject = '', outcome: 'ok' | 'fail' | 'unknown' = 'ok') {
  const id = `${kind} ${subject} ${at}`
  return [
    { at, type: 'invoke' as const, id, kind, subject },
    { at: at + 500, type: outcome, id },
  ]
}

const stored = (subject: string, points = 2) =>
  stores.map((store) => ({
    at: 30_000,
    type: 'stored' as const,
    store,
    subject,
    points,
    repeated: 0,
    wrong: 0,
  }))

const without = (isLeftOut: (event: HistoryEvent) => boolean) =>
  correctHistory().filter((event) => !isLeftOut(event))

/** Only the violations that are not 0. */
const violationsOf = (events: HistoryEvent[]) =>
  Object.fromEntries(Object.entries(check(events).violations).filter(([, count]) => count > 0))

it('a correct history has no violation', () => {
  const verdict = check(correctHistory())
  expect(isPassed(verdict)).toBe(true)
  expect(verdict.acknowledged).toEqual({
    samples: 4,
    jobs: 1,
    commands: 1,
    revocations: 2,
    registrations: 1,
  })
  expect(verdict).toMatchObject({ name: 'example', seed: 7, details: [], recoveryS: 11.5 })
})

it('requests that fail or remain unanswered during a fault are no violation', () => {
  const failed = [
    ...operation('mqtt', 12_000, 'ap-1 12000', 'unknown'),
    ...operation('register', 12_000, 'ap-maybe', 'unknown'),
    { at: 12_000, type: 'invoke' as const, id: 'without end', kind: 'job' as const },
    { at: 12_000, type: 'invoke' as const, id: 'unavailable', kind: 'login' as const },
    { at: 12_100, type: 'fail' as const, id: 'unavailable', detail: '503' },
  ]
  const verdict = check([...correctHistory(), ...failed])
  expect(isPassed(verdict)).toBe(true)
  expect(verdict.operations.login).toEqual({ ok: 1, fail: 1, unknown: 0 })
  expect(verdict.recovery.login).toEqual({ seconds: 11.5, failuresUntilS: 2.1 })
})

it('an acknowledged sample that a store misses is lost', () => {
  const isMissing = (event: HistoryEvent) =>
    event.type === 'stored' && event.subject === 'ap-1 1000' && event.store === 'store-2'
  expect(violationsOf(without(isMissing))).toEqual({ samples_lost: 1 })
})

it('an acknowledged sample of which a metric is missing is lost', () => {
  const cut = correctHistory().map((event) =>
    event.type === 'stored' && event.subject === 'ap-2 1000' ? { ...event, points: 1 } : event,
  )
  expect(violationsOf(cut)).toEqual({ samples_lost: 1 })
})

it('repeated, changed and unknown points are found', () => {
  const point = { at: 30_000, type: 'stored' as const, store: 'store-1', points: 0, repeated: 0, wrong: 0 }
  const more = [
    { ...point, subject: 'ap-1 1000', repeated: 1 },
    { ...point, subject: 'ap-1 1000', wrong: 1 },
    { ...point, subject: 'ap-1 5555', points: 2 },
  ]
  expect(violationsOf([...correctHistory(), ...more])).toEqual({
    samples_repeated: 1,
    samples_unexpected: 3,
  })
})

it('a sample whose acknowledgement was lost may be stored', () => {
  const sent = operation('mqtt', 12_000, 'ap-1 12000', 'unknown')
  expect(violationsOf([...correctHistory(), ...sent, ...stored('ap-1 12000')])).toEqual({})
})

it('an accepted job without an end is found', () => {
  const isEnd = (event: HistoryEvent) => event.type === 'ended' && event.id.startsWith('job ')
  expect(violationsOf(without(isEnd))).toEqual({ jobs_without_end: 1 })
})

it('a job with another result is found', () => {
  const changed = correctHistory().map((event) =>
    event.type === 'ended' && event.id.startsWith('job ') ? { ...event, isWrong: true } : event,
  )
  expect(violationsOf(changed)).toEqual({ jobs_wrong: 1 })
})

it('an accepted command without an end is found', () => {
  const isEnd = (event: HistoryEvent) => event.type === 'ended' && event.id.startsWith('command ')
  expect(violationsOf(without(isEnd))).toEqual({ commands_without_end: 1 })
})

it('a command that was executed twice is found', () => {
  const again: HistoryEvent = { at: 23_000, type: 'executed', subject: 'command-a' }
  expect(violationsOf([...correctHistory(), again])).toEqual({ commands_twice: 1 })
})

it('a command that succeeded without being executed is found', () => {
  expect(violationsOf(without((event) => event.type === 'executed'))).toEqual({ commands_contradicted: 1 })
})

it('a command that expired although it was executed is found', () => {
  const expired = correctHistory().map((event) =>
    event.type === 'ended' && event.id.startsWith('command ') ? { ...event, state: 'expired' } : event,
  )
  expect(violationsOf(expired)).toEqual({ commands_contradicted: 1 })
})

it('a revoked token is accepted for a second at most', () => {
  // Both revocations were acknowledged at 2.5 s.
  for (const subject of ['token-1', 'ap-old']) {
    expect(violationsOf([...correctHistory(), ...operation('probe', 3500, subject)])).toEqual({})
    expect(violationsOf([...correctHistory(), ...operation('probe', 3501, subject)])).toEqual({
      revoked_accepted: 1,
    })
    expect(violationsOf([...correctHistory(), ...operation('probe', 9000, subject, 'fail')])).toEqual({})
  }
})

it('a token whose revocation was not acknowledged may be accepted', () => {
  const events = [...operation('revoke', 2000, 'token-2', 'unknown'), ...operation('probe', 9000, 'token-2')]
  expect(violationsOf([...correctHistory(), ...events])).toEqual({})
})

it('a registered agent that is not listed is found', () => {
  expect(violationsOf([...correctHistory(), ...operation('register', 9000, 'ap-lost')])).toEqual({
    registrations_lost: 1,
  })
})

it('a removed agent that is still listed is found', () => {
  const agents = { 'ap-new': 'online', 'ap-old': 'offline' }
  const fleet = ['followed', 'listed'].map((source) => ({
    at: 31_000,
    type: 'fleet' as const,
    source: source as 'followed' | 'listed',
    agents,
  }))
  expect(violationsOf([...correctHistory(), ...fleet])).toEqual({ registrations_lost: 1 })
})

it('a change that a follower missed is found', () => {
  const listed: HistoryEvent = {
    at: 31_000,
    type: 'fleet',
    source: 'listed',
    agents: { 'ap-new': 'offline' },
  }
  expect(violationsOf([...correctHistory(), listed])).toEqual({ changes_missed: 1 })
})

it('an answer other than 503 to a valid request is found', () => {
  const refused: HistoryEvent[] = [
    { at: 12_000, type: 'invoke', id: 'refused', kind: 'changes' },
    { at: 12_100, type: 'fail', id: 'refused', detail: '401' },
  ]
  const verdict = check([...correctHistory(), ...refused])
  expect(verdict.violations).toMatchObject({ wrong_answers: 1 })
  expect(verdict.details).toEqual(['changes was answered with 401'])
})

it('an operation that does not succeed again in time is found', () => {
  const isLogin = (event: HistoryEvent) => 'id' in event && event.id.startsWith('login')
  expect(violationsOf(without(isLogin))).toEqual({ late_recoveries: 1 })
  const late = [...without(isLogin), ...operation('login', 40_000)]
  expect(violationsOf(late)).toEqual({ late_recoveries: 1 })
  const fromEnd = late.map((event) =>
    event.type === 'configured' ? { ...event, recovery: { from: 'end' as const, withinS: 30 } } : event,
  )
  expect(violationsOf(fromEnd)).toEqual({})
})

it('an outage that follows after some successes is found', () => {
  const successes = [11_000, 12_000, 45_000].flatMap((at) => operation('login', at))
  const verdict = check([...without((event) => 'id' in event && event.id.startsWith('login')), ...successes])
  expect(verdict.recovery.login).toEqual({ seconds: 33, failuresUntilS: 0 })
  expect(verdict.violations).toMatchObject({ late_recoveries: 1 })
})

it('a time without operations after the end of the workload is no outage', () => {
  const over: HistoryEvent = { at: 25_000, type: 'fault', phase: 'over' }
  expect(violationsOf([...correctHistory(), over, ...operation('changes', 90_000)])).toEqual({})
})

it('a success of an operation that began before the fault is no recovery', () => {
  const isLater = (event: HistoryEvent) => 'id' in event && event.id === 'login  21000'
  expect(violationsOf([...without(isLater), ...operation('login', 9900)])).toEqual({ late_recoveries: 1 })
})

it('a failure of the run itself is found', () => {
  const problem: HistoryEvent = { at: 30_000, type: 'problem', detail: 'api1 ended with 1' }
  expect(violationsOf([...correctHistory(), problem])).toEqual({ problems: 1 })
})
