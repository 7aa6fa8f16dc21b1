import { call, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'

const [perHour, userPerHour] = [12, 8]
const it = test.override('variables', {
  MANC_JOBS_PER_HOUR: String(perHour),
  MANC_USER_JOBS_PER_HOUR: String(userPerHour),
})
const details = '/api/v1/agent_details/request_all_agents_details'
const attempts = 16

it('a user who requests and cancels jobs without end gets 429', async ({ environment }) => {
  const refusals = async () => {
    const text = (await call(environment.server.internalUrl, 'GET', '/metrics')).body as string
    return ['MANC_USER_JOBS_PER_HOUR', 'MANC_JOBS_PER_HOUR'].map((limit) =>
      Number(new RegExp(`limit="${limit}"} (\\d+)$`, 'm').exec(text)?.[1]),
    )
  }
  const tokens: Record<string, string> = {}
  const names = { user: `${uniqueName('user')}@abuse.test`, operator: `${uniqueName('operator')}@abuse.test` }
  const before = await refusals()
  for (const role of ['user', 'operator'] as const) {
    const account = { username: names[role], password: 'a-password' }
    await environment.request('POST', '/api/v1/users/', { ...account, roles: [role] })
    tokens[role] = await tokenOf(environment.url, 'user', account.username, account.password)
  }
  const requestAndCancel = async (token: string | undefined) => {
    const answer = await environment.request('POST', details, undefined, token)
    const number = answer.body.job_number
    if (answer.status === 200)
      await environment.request('POST', `/api/v1/jobs/${number}/cancel`, undefined, token)
    return answer
  }
  for (const [role, max] of [
    ['user', userPerHour],
    ['operator', perHour],
  ] as const) {
    const answers = []
    for (let n = 0; n < attempts; n++) answers.push(await requestAndCancel(tokens[role]))
    const [{ jobs }] = await environment.sql(
      'select count(*)::int as jobs from jobs where owner = (select id from users where username = $1)',
      [names[role]],
    )
    process.stdout.write(
      `report ${JSON.stringify({ attack: 'requests and cancels', role, attempts, jobs })}\n`,
    )
    expect(jobs).toBe(max)
    const refused = answers.at(-1)
    expect(refused?.status).toBe(429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused?.body.detail).toContain('Wait')
  }
  const after = await refusals()
  expect(after.map((count, n) => count - (before[n] ?? 0))).toEqual([
    attempts - userPerHour,
    attempts - perHour,
  ])
  // Another caller is not affected.
  expect((await environment.request('POST', details)).status).toBe(200)
}, 120_000)
