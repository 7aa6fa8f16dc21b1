import { call, tokenOf } from '@manc/harness'
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
  const tokens: Record<string, string> = {}
  for (const role of ['user', 'operator']) {
    const account = { username: `${role}@cancelled.test`, password: 'a-password' }
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
      [`${role}@cancelled.test`],
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
  const metrics = (await call(environment.server.internalUrl, 'GET', '/metrics')).body
  expect(metrics).toContain(`limit="MANC_USER_JOBS_PER_HOUR"} ${attempts - userPerHour}`)
  expect(metrics).toContain(`limit="MANC_JOBS_PER_HOUR"} ${attempts - perHour}`)
  // Another caller is not affected.
  expect((await environment.request('POST', details)).status).toBe(200)
}, 120_000)
