import { call, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'

const maxWaiting = 3
const it = test.override('variables', { MANC_WAITING_COMMANDS: String(maxWaiting) })

it('an app that sends commands without end to agents that are not connected does not fill the queue of the dispatcher', async ({
  environment,
}) => {
  const app = { app_name: uniqueName('flood'), api_key: 'a-key-of-the-test', permissions: {} }
  await environment.request('POST', '/api/v1/third_party_apps/', app)
  const token = await tokenOf(environment.url, 'third_party_app', app.app_name, app.api_key)
  const [busy, other] = [uniqueName('busy'), uniqueName('other')]
  for (const ap_id of [busy, other])
    await environment.request('POST', '/api/v1/agents/', { ap_id, password: 'p', configuration: {} })
  const one = (apId: string, as = token) =>
    call(environment.url, 'POST', `/api/v1/send_command?agent_id=${apId}&command=status`, { token: as })
  const many = (body: object) => call(environment.url, 'POST', '/api/v1/commands', { token, body })

  const jobs = []
  for (let n = 0; n < maxWaiting; n++) jobs.push((await one(busy)).body.job_number)
  const refused = await one(busy)
  expect(refused.status).toBe(429)
  expect(refused.body.detail).toBe(
    `${maxWaiting} commands of the same caller wait for ${busy} already. Wait until it has received them, or cancel some.`,
  )
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)

  // The other agent gets its command. The part of the first one says why it was skipped.
  const bulk = await many({ command: 'status', agents: [busy, other] })
  expect([bulk.status, bulk.body.agents, bulk.body.skipped]).toEqual([200, 1, 1])
  const { body: parts } = await call(
    environment.url,
    'GET',
    `/api/v1/jobs?parent=${bulk.body.job_number}&state=skipped`,
    { token },
  )
  expect(parts).toMatchObject([{ detail: 'Too many commands of the same caller wait for it already.' }])

  // Of commands that belong together all are sent, or none.
  const decided = [
    { agent_id: other, command: 'status' },
    { agent_id: busy, command: 'status' },
  ]
  expect((await many({ commands: decided })).status).toBe(429)
  const [{ count }] = await environment.sql(
    `select count(*)::int as count from commands where ap_id = any($1) and state <> 'skipped'`,
    [[busy, other]],
  )
  expect(count, 'rows of commands').toBe(maxWaiting + 1)

  const cancelled = await call(environment.url, 'POST', `/api/v1/jobs/${jobs[0]}/cancel`, { token })
  expect(cancelled.status).toBe(200)
  expect((await one(busy)).status).toBe(200)
  // The limit is the app's own.
  expect((await one(busy, environment.adminToken)).status).toBe(200)
})
