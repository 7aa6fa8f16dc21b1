import { admin, call, logIn, type TestEnvironment, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'
import { makeLoginWaitsLong } from '../login-waits.ts'

const it = test.override('variables', { MANC_TRUSTED_PROXIES: '127.0.0.1' })

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

/** As RabbitMQ asks: it sends no address of the client. */
async function connectAs(environment: TestEnvironment, apId: string, password: string): Promise<unknown> {
  const form = { username: apId, client_id: apId, password }
  return (await call(environment.server.internalUrl, 'POST', '/broker/user', { form })).body
}

async function newAgent(environment: TestEnvironment) {
  const agent = { ap_id: uniqueName('ap'), password: 'right-password' }
  await environment.request('POST', '/api/v1/agents/', { ...agent, configuration: {} })
  return agent
}

describe('failed logins of others', () => {
  it('from one address do not keep an administrator out at another', async ({ environment }) => {
    for (let n = 0; n < 12; n++)
      await logIn(environment.url, 'user', admin.username, `wrong-${n}`, from('203.0.113.9'))
    await makeLoginWaitsLong(environment)
    const right = (address: string) =>
      logIn(environment.url, 'user', admin.username, admin.password, from(address))
    expect((await right('198.51.100.1')).status).toBe(200)
    // Guessing stays slow at the address of the failures.
    expect((await right('203.0.113.9')).status).toBe(429)
  })

  it('from many addresses delay the account, except where it has logged in before', async ({
    environment,
  }) => {
    const user = { username: `${uniqueName('known')}@example.test`, password: 'right-password' }
    await call(environment.url, 'POST', '/api/v1/users/signup', { body: user })
    const right = async (address: string) =>
      (await logIn(environment.url, 'user', user.username, user.password, from(address))).status
    expect(await right('198.51.100.1')).toBe(200)
    for (let n = 0; n < 27; n++)
      await logIn(environment.url, 'user', user.username, 'wrong', from(`203.0.113.${n}`))
    await makeLoginWaitsLong(environment)
    expect(await right('198.51.100.2')).toBe(429)
    expect(await right('198.51.100.1')).toBe(200)
  })

  it('at the broker do not keep out an agent whose password was verified before', async ({ environment }) => {
    const { ap_id: apId, password } = await newAgent(environment)
    expect(await connectAs(environment, apId, password)).toBe('allow')
    await failAtTheBroker(environment, apId)
    await expect.poll(() => connectAs(environment, apId, password), { timeout: 30_000 }).toBe('allow')
  })

  it('at the broker do not keep an agent from logging in over HTTP', async ({ environment }) => {
    const { ap_id: apId, password } = await newAgent(environment)
    await failAtTheBroker(environment, apId)
    expect((await logIn(environment.url, 'agent', apId, password)).status).toBe(200)
  })
})

describe('guessing the password of an agent at the broker', () => {
  it('stays slow while the right password is cached', async ({ environment }) => {
    const { ap_id: apId, password } = await newAgent(environment)
    expect(await connectAs(environment, apId, password)).toBe('allow')
    await failAtTheBroker(environment, apId)
    const startedAt = Date.now()
    const guesses = Array.from({ length: 300 }, () => connectAs(environment, apId, password))
    const compared = (await Promise.all(guesses)).filter((answer) => answer === 'allow').length
    // 20 a second, of which one may have begun before and one may end after.
    expect(compared).toBeLessThanOrEqual(20 * ((Date.now() - startedAt) / 1000 + 2))
  })
})

/** Until the account has to wait. */
async function failAtTheBroker(environment: TestEnvironment, apId: string): Promise<void> {
  for (let n = 0; n < 12; n++) expect(await connectAs(environment, apId, `wrong-${n}`)).toBe('deny')
  await makeLoginWaitsLong(environment)
}
