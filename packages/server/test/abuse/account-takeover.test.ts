import type { AuditRecord } from '@manc/contract'
import { call, logIn, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'

async function signUp(environment: TestEnvironment, url = environment.url) {
  const user = { username: `${uniqueName('owner')}@example.test`, password: 'right-password' }
  await environment.request('POST', '/api/v1/users/', { ...user, roles: ['user'] })
  return { ...user, token: await tokenOf(url, 'user', user.username, user.password) }
}

/** An entry without a count is for one event. */
const countOf = (entries: readonly AuditRecord[]) =>
  entries.reduce((sum, { detail }) => sum + Number(detail['count'] ?? 1), 0)

describe('a stolen token of a user', () => {
  it('does not change the password where the current one is required', async ({ environment }) => {
    const { url } = await environment.startServer({ MANC_CURRENT_PASSWORD: 'required' })
    const { username, password, token } = await signUp(environment, url)
    const change = (body: object) => call(url, 'PUT', '/api/v1/users/me', { token, body })
    const missing = await change({ password: 'password-of-a-thief' })
    expect([missing.status, missing.body.detail]).toEqual([
      422,
      [{ loc: ['body', 'current_password'], msg: 'Field required', type: 'missing' }],
    ])
    const wrong = await change({ password: 'password-of-a-thief', current_password: 'a-guess' })
    expect([wrong.status, wrong.body.detail]).toEqual([
      403,
      expect.stringContaining('current password is wrong'),
    ])
    expect((await logIn(url, 'user', username, password)).status).toBe(200)
    const right = await change({ password: 'another-password', current_password: password })
    expect(right.status).toBe(200)
    expect((await logIn(url, 'user', username, 'another-password')).status).toBe(200)
    // An administrator sets the passwords of others without knowing them.
    const set = { password: 'third-password' }
    const path = `/api/v1/users/${username}`
    expect((await call(url, 'PUT', path, { token: environment.adminToken, body: set })).status).toBe(200)
  })

  it('does not help to guess the password: wrong current passwords count as failed logins', async ({
    environment,
  }) => {
    const { username, password, token } = await signUp(environment)
    const statuses: number[] = []
    for (let n = 0; n < 15; n++) {
      const body = { password: 'password-of-a-thief', current_password: `guess-${n}` }
      statuses.push((await call(environment.url, 'PUT', '/api/v1/users/me', { token, body })).status)
    }
    expect(statuses.filter((status) => status === 403).length).toBeLessThan(15)
    expect(statuses).toContain(429)
    expect([200, 429]).toContain((await logIn(environment.url, 'user', username, password)).status)
  })

  it('does not guess the password unseen: wrong current passwords are in the audit like failed logins', async ({
    environment,
  }) => {
    const { username, token } = await signUp(environment)
    for (let n = 0; n < 3; n++) {
      const body = { password: 'password-of-a-thief', current_password: `guess-${n}` }
      expect((await call(environment.url, 'PUT', '/api/v1/users/me', { token, body })).status).toBe(403)
    }
    const { body: found } = await environment.request(
      'GET',
      `/api/v1/audit?action=login.failed&target=${username}`,
    )
    // One entry for each minute, with a count.
    expect(found.length).toBeGreaterThanOrEqual(1)
    expect(found.length).toBeLessThanOrEqual(2)
    expect(countOf(found)).toBe(3)
    expect(found[0]).toMatchObject({ actor: '127.0.0.1', detail: { login_type: 'user' } })
    expect(JSON.stringify(found)).not.toMatch(/guess-|thief/)
  })

  it('is not needed by default, as in the interface: a client may send the new password alone', async ({
    environment,
  }) => {
    const { token } = await signUp(environment)
    const body = { password: 'another-password' }
    expect((await call(environment.url, 'PUT', '/api/v1/users/me', { token, body })).status).toBe(200)
  })
})

it('with MANC_SIGNUP=closed a stranger gets no account, and administrators create them', async ({
  environment,
}) => {
  const { url } = await environment.startServer({ MANC_SIGNUP: 'closed' })
  const user = { username: `${uniqueName('stranger')}@example.test`, password: 'a-password' }
  for (const body of [user, {}]) {
    const { status, body: answer } = await call(url, 'POST', '/api/v1/users/signup', { body })
    expect([status, answer.detail]).toEqual([403, 'Sign-up is closed. Ask an administrator for an account.'])
  }
  const options = await call(url, 'GET', '/api/v1/sign_in_options')
  expect(options.body).toEqual({ signup: 'closed', current_password: 'optional' })
  const created = { ...user, roles: ['user'] }
  expect((await environment.request('POST', '/api/v1/users/', created)).status).toBe(200)
})
