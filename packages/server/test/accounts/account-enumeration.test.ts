import { performance } from 'node:perf_hooks'
import { call, logIn, type TestEnvironment } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'

const it = test.override('variables', {
  MANC_LOGIN_FREE_FAILURES: '100000',
  MANC_LOGIN_FREE_FAILURES_PER_ACCOUNT: '100000',
  MANC_LOGIN_FREE_FAILURES_PER_ADDRESS: '100000',
  MANC_RECOVERIES_PER_HOUR: '100000',
  MANC_RECOVERIES_PER_MINUTE: '100000',
})

const tries = 200
const known = 'known@example.test'
const stranger = 'other@example.test'
let environment: TestEnvironment

it.beforeAll(async ({ environment: own }) => {
  environment = own
  await call(environment.url, 'POST', '/api/v1/users/signup', {
    body: { username: known, password: 'password-1' },
  })
})

/** In random turns, so that what disturbs the machine, in whatever rhythm, disturbs both alike. */
async function compare(attempt: (username: string) => Promise<{ status: number; body: unknown }>) {
  const times: Record<string, number[]> = { known: [], unknown: [] }
  const answers = new Set<string>()
  const turns = Array.from({ length: tries * 2 }, (_, n) => ({
    kind: n % 2 === 0 ? 'known' : 'unknown',
    at: Math.random(),
  }))
  for (const { kind } of turns.toSorted((a, b) => a.at - b.at)) {
    const username = kind === 'known' ? known : stranger
    const startedAt = performance.now()
    const { status, body } = await attempt(username)
    // A machine that has stopped for a moment, with the database: that depends on no account.
    if (status === 503) continue
    times[kind]?.push(performance.now() - startedAt)
    answers.add(`${status} ${JSON.stringify(body)}`)
  }
  // Of nearly all attempts.
  for (const measured of Object.values(times)) expect(measured.length).toBeGreaterThan(tries * 0.9)
  return { ratio: median(times['known'] ?? []) / median(times['unknown'] ?? []), answers: [...answers] }
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

describe('known and unknown accounts are indistinguishable', () => {
  // A machine that is busy with something else may disturb one measurement; a real difference shows in each.
  it('known and unknown accounts get the same status, body and response time at login', {
    retry: 2,
    timeout: 180_000,
  }, async () => {
    const { ratio, answers } = await compare((username) =>
      logIn(environment.url, 'user', username, 'wrong-password'),
    )
    expect(answers).toEqual(['401 {"detail":"Incorrect username or password"}'])
    expect(ratio).toBeGreaterThan(0.9)
    expect(ratio).toBeLessThan(1.1)
  })

  it('known and unknown accounts get the same status, body and response time at password recovery', {
    retry: 2,
    timeout: 180_000,
  }, async () => {
    const { ratio, answers } = await compare((username) =>
      call(environment.url, 'POST', '/api/v1/users/password-recovery', { body: { username } }),
    )
    expect(answers).toHaveLength(1)
    expect(ratio).toBeGreaterThan(0.9)
    expect(ratio).toBeLessThan(1.1)
  })
})
