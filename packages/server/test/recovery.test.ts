import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, logIn, tokenOf } from './client.ts'
import { makePlace, type Place, type Replica, sqlAt, startReplica } from './harness.ts'
import { type Mailbox, startMailbox } from './mailbox.ts'

let place: Place
let server: Replica
let mailbox: Mailbox

beforeAll(async () => {
  mailbox = await startMailbox()
  place = await makePlace(inject('engines'))
  Object.assign(place.environment, {
    MANC_SMTP_URL: mailbox.url,
    MANC_PUBLIC_URL: 'https://manc.example.test',
    MANC_RESET_TOKEN_SECONDS: '4',
    MANC_RECOVERIES_PER_HOUR: '5',
  })
  server = await startReplica(place.environment)
})

afterAll(async () => {
  await server?.stop()
  await mailbox?.stop()
  await place?.drop()
})

const post = (path: string, body: unknown, headers = {}) => call(server.url, 'POST', path, { body, headers })
const signUp = (username: string) => post('/api/v1/users/signup', { username, password: 'first-password' })
const recover = (username: string, headers = {}) =>
  post('/api/v1/users/password-recovery', { username }, headers)
const reset = (token: string, new_password = 'second-password') =>
  post('/api/v1/users/reset-password', { token, new_password })

describe('password recovery', () => {
  it('mails a token that sets a new password once and ends the other sessions', async () => {
    await signUp('ann@example.test')
    const old = await tokenOf(server.url, 'user', 'ann@example.test', 'first-password')
    const asked = await recover('ANN@example.test', { host: 'evil.test', 'x-forwarded-host': 'evil.test' })
    expect(asked.body).toEqual({ status: 'success', detail: expect.any(String) })
    const token = await mailbox.tokenFor('ann@example.test')
    const [mail] = mailbox.of('ann@example.test')
    expect(mail).toContain('https://manc.example.test/api/v1/users/reset-password')
    expect(mail).not.toContain('evil.test')
    expect((await reset(token)).body).toEqual({ status: 'success', detail: expect.any(String) })
    expect((await call(server.url, 'GET', '/api/v1/users/me', { token: old })).status).toBe(401)
    expect((await logIn(server.url, 'user', 'ann@example.test', 'first-password')).status).toBe(401)
    expect((await logIn(server.url, 'user', 'ann@example.test', 'second-password')).status).toBe(200)
    const again = await reset(token, 'third-password')
    expect([again.status, again.body]).toEqual([400, { detail: 'Invalid or expired token' }])
  })

  it('lets exactly one of 20 parallel uses of a token succeed', async () => {
    await signUp('bob@example.test')
    await recover('bob@example.test')
    const token = await mailbox.tokenFor('bob@example.test')
    const uses = Array.from({ length: 20 }, (_, n) => reset(token, `password-${n}`))
    const statuses = (await Promise.all(uses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 400)).toHaveLength(19)
  })

  it('ends an older token when a newer is sent', async () => {
    await signUp('carl@example.test')
    await recover('carl@example.test')
    const older = await mailbox.tokenFor('carl@example.test')
    await recover('carl@example.test')
    const newer = await mailbox.tokenFor('carl@example.test', 1)
    expect((await reset(older)).status).toBe(400)
    expect((await reset(newer)).status).toBe(200)
  })

  it('refuses a token after its time', async () => {
    await signUp('dora@example.test')
    await recover('dora@example.test')
    const token = await mailbox.tokenFor('dora@example.test')
    await sleep(4100)
    expect((await reset(token)).status).toBe(400)
  })

  it('keeps tokens as hashes only, and out of the log', async () => {
    await signUp('eve@example.test')
    await recover('eve@example.test')
    const token = await mailbox.tokenFor('eve@example.test')
    const { rows } = await sqlAt(place.environment['MANC_DATABASE_URL'] ?? '', 'select * from reset_tokens')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(server.logged()).not.toContain(token)
  })

  it('mails an account at most five times an hour, and treats unknown accounts the same', async () => {
    await signUp('fred@example.test')
    for (const username of ['fred@example.test', 'nobody@example.test']) {
      const answers = []
      for (let n = 0; n < 6; n++) answers.push(await recover(username))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
      expect(Number(answers[5]?.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  it('counts requests that come at once, one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => recover('crowd@example.test')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  })

  it('answers the same without a mail server, and says so in the log', async () => {
    const { MANC_SMTP_URL: _unused, ...environment } = place.environment
    await server.stop()
    const silent = await startReplica(environment)
    try {
      await call(silent.url, 'POST', '/api/v1/users/signup', {
        body: { username: 'gil@example.test', password: 'first-password' },
      })
      const { status, body } = await call(silent.url, 'POST', '/api/v1/users/password-recovery', {
        body: { username: 'gil@example.test' },
      })
      expect([status, body.status]).toEqual([200, 'success'])
      await expect.poll(() => silent.logged(), { timeout: 5000 }).toContain('MANC_SMTP_URL is not set')
    } finally {
      await silent.stop()
      server = await startReplica(place.environment)
    }
  })
})
