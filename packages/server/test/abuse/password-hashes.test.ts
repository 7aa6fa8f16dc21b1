import { setTimeout as sleep } from 'node:timers/promises'
import { admin, call, logIn, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'

const it = test.override('variables', {
  MANC_TRUSTED_PROXIES: '127.0.0.1',
  MANC_LOGIN_FREE_FAILURES: '100000',
  MANC_LOGIN_FREE_FAILURES_PER_ADDRESS: '100000',
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

/**
 * The outcomes of five logins from an address that does nothing else, while many requests are under way all the time. Other
 * refusals than that of a full queue may come from an overloaded machine.
 */
async function loginsDuring(environment: TestEnvironment, attack: () => Promise<number>, attackers = 150) {
  const attacked: number[] = []
  const over = new AbortController()
  const attacks = Array.from({ length: attackers }, async () => {
    while (!over.signal.aborted) {
      const status = await attack()
      attacked.push(status)
      // Without a pause, the requests of this process alone would use up the CPU.
      if (status === 429) await sleep(1000)
    }
  })
  await expect.poll(() => attacked.length, { timeout: 60_000 }).toBeGreaterThan(20)
  const logins: unknown[] = []
  for (let n = 0; n < 5; n++) {
    const login = logIn(environment.url, 'user', admin.username, admin.password, from('198.51.100.1'))
    const { status, body } = await login
    logins.push(status === 200 ? 200 : body.detail)
  }
  over.abort()
  await Promise.all(attacks)
  return { logins, attacked }
}

const queueIsFull = 'Too many logins at once. Try again shortly.'

describe('a flood of password checks', { timeout: 120_000 }, () => {
  it('with wrong logins at the broker does not refuse the logins of people', async ({ environment }) => {
    const { logins } = await loginsDuring(environment, async () => {
      const apId = uniqueName('guess')
      const form = { username: apId, client_id: apId, password: 'wrong' }
      return (await call(environment.server.internalUrl, 'POST', '/broker/user', { form })).status
    })
    expect(logins).not.toContain(queueIsFull)
    expect(logins).toContain(200)
  })

  it('with wrong logins from one address does not refuse logins from another', async ({ environment }) => {
    const { logins } = await loginsDuring(environment, async () => {
      const username = `${uniqueName('guess')}@example.test`
      return (await logIn(environment.url, 'user', username, 'wrong', from('203.0.113.9'))).status
    })
    expect(logins).not.toContain(queueIsFull)
    expect(logins).toContain(200)
  })

  it("with one's own current password as the new one is limited, and refuses no login", async ({
    environment,
  }) => {
    const user = { username: `${uniqueName('change')}@example.test`, password: 'right-password' }
    await call(environment.url, 'POST', '/api/v1/users/signup', { body: user })
    const token = await tokenOf(environment.url, 'user', user.username, user.password)
    const body = { password: user.password, current_password: user.password }
    const { logins, attacked } = await loginsDuring(
      environment,
      async () => (await call(environment.url, 'PUT', '/api/v1/users/me', { token, body })).status,
      50,
    )
    expect(logins).not.toContain(queueIsFull)
    expect(logins).toContain(200)
    expect(attacked.filter((status) => status === 200).length).toBeLessThanOrEqual(20)
    expect(attacked).toContain(429)
  })
})
