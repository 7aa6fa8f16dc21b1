import { startServerProcess, type TestEnvironment } from '@manc/harness'
import { test } from '@manc/harness/fixture'

import { expect } from 'vitest'
import { agent, app, Decisions, decisionOf } from './parties.ts'

/** No subscriber: the processes that measure are started and killed by the tests. */
const it = test.override('variables', {
  MANC_ROLES: 'api',
  MANC_DECISION_MEASURE_SECONDS: '1',
  // All decisions are about one access point.
  MANC_AGENT_EVENTS_PER_HOUR: '100000',
})

const count = 120
const patience = { timeout: 150_000, interval: 200 }

const subscriberOf = (environment: TestEnvironment) => ({
  ...environment.variables,
  MANC_ROLES: 'subscriber',
  MANC_API_URL: environment.url,
})

async function states(environment: TestEnvironment, owner: string): Promise<Record<string, number>> {
  const rows = await environment.sql(
    'select state, count(*)::int as n from decisions where owner_name = $1 group by state',
    [owner],
  )
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

it('every decision is measured and every proposal expires once, by replicas of which one is killed', {
  timeout: 240_000,
}, async ({ environment }) => {
  const decisions = new Decisions(environment)
  const [apId, { name, token }] = [await agent(environment), await app(environment)]
  const bodies = Array.from({ length: count }, (_, n) =>
    decisionOf([apId], n % 4 === 0 ? { mode: 'advise', expires_in_s: 10 } : { mode: 'watch' }),
  )
  for (const body of bodies) await decisions.create(body, token)
  await environment.sql(
    `update decisions set due_at = now(), expires_at = case when state = 'proposed' then now() end where owner_name = $1`,
    [name],
  )
  const variables = subscriberOf(environment)
  const [doomed, other] = await Promise.all([startServerProcess(variables), startServerProcess(variables)])
  try {
    const done = async () => {
      const { measured = 0, expired = 0 } = await states(environment, name)
      return measured + expired
    }
    await expect.poll(done, { ...patience, interval: 10 }).toBeGreaterThan(0)
    await doomed.stop('SIGKILL')
    await expect
      .poll(() => states(environment, name), patience)
      .toEqual({ measured: count * 0.75, expired: count * 0.25 })
  } finally {
    await other.stop()
  }
  // One event for each: nothing was done twice.
  const ends = await environment.sql(
    `select data ->> 'decision_id' as id, count(*)::int as n from events
     where kind = 'decision' and subject = $1 and data ->> 'state' in ('measured', 'expired') group by 1`,
    [name],
  )
  expect([ends.length, new Set(ends.map(({ n }) => n))]).toEqual([count, new Set([1])])
})

it('a decision whose process died in the measurement is measured by another one', {
  timeout: 120_000,
}, async ({ environment }) => {
  const decisions = new Decisions(environment)
  const [apId, { token }] = [await agent(environment), await app(environment)]
  const { id } = await decisions.create(decisionOf([apId], { mode: 'watch' }), token)
  // As a process leaves it that took it over and was killed: its lease ends soon.
  await environment.sql(`update decisions set due_at = now() + interval '2 s' where id = $1`, [id])
  const other = await startServerProcess(subscriberOf(environment))
  try {
    await expect.poll(async () => (await decisions.get(id)).state, patience).toBe('measured')
  } finally {
    await other.stop()
  }
})

it('an action of an api process that dies has its record and its commands, or neither of them', {
  timeout: 180_000,
}, async ({ environment }) => {
  const { token } = await app(environment)
  const apIds: string[] = []
  for (let n = 0; n < 30; n++) apIds.push(await agent(environment))
  const doomed = await startServerProcess(environment.variables)
  const sending = apIds.map((apId, n) =>
    fetch(`${doomed.url}/api/v1/decisions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `kill-${n}`,
      },
      body: JSON.stringify(decisionOf([apId], { mode: 'act' })),
    }).then(
      ({ status }) => status,
      () => 'lost',
    ),
  )
  await Promise.race(sending)
  await doomed.stop('SIGKILL')
  await Promise.all(sending)
  // Repeated with the same keys at another replica: each has one record and one command.
  const decisions = new Decisions(environment)
  for (const [n, apId] of apIds.entries())
    expect((await decisions.create(decisionOf([apId], { mode: 'act' }), token, `kill-${n}`)).state).toBe(
      'executed',
    )
  const [{ records, sent, linked }] = await environment.sql(
    `select (select count(*)::int from decisions where request_key like 'kill-%') as records,
       (select count(*)::int from commands where ap_id = any($1)) as sent,
       (select count(*)::int from commands join decision_commands using (job_number) where commands.ap_id = any($1)) as linked`,
    [apIds],
  )
  expect({ records, sent, linked }).toEqual({ records: 30, sent: 30, linked: 30 })
})
