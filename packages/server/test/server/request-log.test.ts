import { call, logIn, type TestEnvironment } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'

const it = test.override('variables', { MANC_RATE_ANONYMOUS_PER_MINUTE: '50' })

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

/** The line of the request with this id, which the server writes after the response. */
async function lineOf(requestId: string): Promise<Record<string, unknown>> {
  const find = () =>
    environment.server
      .logged()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"') && line.includes(`"${requestId}"`))
  await expect.poll(find).toHaveLength(1)
  return JSON.parse(find()[0] ?? '')
}

it('a refused request is logged with time, caller, address, operation and status', async () => {
  const user = { username: 'log@example.test', password: 'log-password' }
  await environment.request('POST', '/api/v1/users/', { ...user, roles: ['user'] })
  const { body } = await logIn(environment.url, 'user', user.username, user.password)
  const refused = [
    ['failed-login', 401, 'logIn', undefined],
    ['no-token', 401, 'listUsers', undefined],
    ['no-rights', 403, 'listUsers', user.username],
    ['invalid-input', 422, 'listJobs', user.username],
  ] as const
  await logIn(environment.url, 'user', user.username, 'wrong-password', {
    headers: { 'x-request-id': 'failed-login' },
  })
  const get = (id: string, path: string, more = {}) =>
    call(environment.url, 'GET', path, { headers: { 'x-request-id': id }, ...more })
  await get('no-token', '/api/v1/users/')
  await get('no-rights', '/api/v1/users/', { token: body.access_token })
  await get('invalid-input', '/api/v1/jobs?limit=none', { token: body.access_token })
  for (const [requestId, status, operation, caller] of refused) {
    const line = await lineOf(requestId)
    expect(line).toMatchObject({ level: 30, requestId, status, operation, address: '127.0.0.1' })
    expect([requestId, line['caller']]).toEqual([requestId, caller])
    expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  }
})

it('a request beyond a rate limit is logged and counted', async () => {
  let status = 200
  for (let n = 0; status === 200 && n < 500; n++)
    status = (await call(environment.url, 'GET', '/healthz', { headers: { 'x-request-id': `limited-${n}` } }))
      .status
  expect(status).toBe(429)
  await expect.poll(() => environment.server.logged()).toMatch(/"requestId":"limited-\d+".*"status":429/)
  const { body } = await call(environment.server.internalUrl, 'GET', '/metrics')
  expect(body).toMatch(/manc_limit_reached_total\{limit="MANC_RATE_ANONYMOUS_PER_MINUTE"\} [1-9]/)
})
