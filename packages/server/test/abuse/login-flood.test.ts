import { admin, call, logIn, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'

const perMinute = 10
const it = test.override('variables', { MANC_LOGINS_PER_MINUTE: String(perMinute) })

it('a user who logs in for every request gets 429, and others log in meanwhile', async ({ environment }) => {
  const user = { username: `${uniqueName('user')}@abuse.test`, password: 'a-password' }
  await call(environment.url, 'POST', '/api/v1/users/signup', { body: user })
  const answers = []
  for (let n = 0; n < 2 * perMinute; n++)
    answers.push(await logIn(environment.url, 'user', user.username, user.password))

  expect(answers.map(({ status }) => status)).toEqual([
    ...Array.from({ length: perMinute }, () => 200),
    ...Array.from({ length: perMinute }, () => 429),
  ])
  expect(answers.at(-1)?.body.detail).toContain('until it expires')
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await logIn(environment.url, 'user', admin.username, admin.password)).status).toBe(200)
})

it('failed logins do not use up the logins of an account', async ({ environment }) => {
  const user = { username: `${uniqueName('user')}@abuse.test`, password: 'a-password' }
  await call(environment.url, 'POST', '/api/v1/users/signup', { body: user })
  for (let n = 0; n < perMinute; n++)
    expect((await logIn(environment.url, 'user', user.username, 'wrong')).status).toBe(401)
  expect((await logIn(environment.url, 'user', user.username, user.password)).status).toBe(200)
})

it('an agent that logs in for every request gets 429, although its password is cached', async ({
  environment,
}) => {
  const agent = { ap_id: uniqueName('agent'), password: 'p', configuration: {} }
  await environment.request('POST', '/api/v1/agents/', agent)
  const statuses: number[] = []
  for (let n = 0; n < 2 * perMinute; n++)
    statuses.push((await logIn(environment.url, 'agent', agent.ap_id, agent.password)).status)
  expect(statuses).toEqual([
    ...Array.from({ length: perMinute }, () => 200),
    ...Array.from({ length: perMinute }, () => 429),
  ])
})
