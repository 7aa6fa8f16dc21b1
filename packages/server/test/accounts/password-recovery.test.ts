import { setTimeout as sleep } from 'node:timers/promises'
import {
  call,
  createEnvironment,
  logIn,
  type Replica,
  startReplica,
  type TestEnvironment,
  tokenOf,
  uniqueName,
} from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { type MailInbox, startMailInbox } from '@manc/harness/mail-inbox'
import { afterAll, describe, expect, inject } from 'vitest'

const it = test.override('withServer', false)

let environment: TestEnvironment
let server: Replica
let mailbox: MailInbox

it.beforeAll(async ({ environment: own }) => {
  environment = own
  mailbox = await startMailInbox()
  Object.assign(environment.variables, {
    MANC_SMTP_URL: mailbox.url,
    MANC_PUBLIC_URL: 'https://manc.example.test',
    MANC_RECOVERIES_PER_HOUR: '5',
  })
  server = await startReplica(environment.variables)
})

afterAll(async () => {
  await server?.stop()
  await mailbox?.stop()
})

const post = (path: string, body: unknown, headers = {}) => call(server.url, 'POST', path, { body, headers })

/** Answers the address of a new account. */
async function signUp(name: string): Promise<string> {
  const username = `${uniqueName(name)}@example.test`
  expect((await post('/api/v1/users/signup', { username, password: 'first-password' })).status).toBe(200)
  return username
}

const recover = (username: string, headers = {}) =>
  post('/api/v1/users/password-recovery', { username }, headers)
const reset = (token: string, new_password = 'second-password') =>
  post('/api/v1/users/reset-password', { token, new_password })

describe('password recovery', () => {
  it('sends a token that sets a new password once and ends all sessions', async () => {
    const ann = await signUp('ann')
    const old = await tokenOf(server.url, 'user', ann, 'first-password')
    const asked = await recover(ann.replace('ann', 'ANN'), {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
    })
    expect(asked.body).toEqual({ status: 'success', detail: expect.any(String) })
    const token = await mailbox.resetTokenFor(ann)
    const [mail] = mailbox.textsTo(ann)
    expect(mail).toContain('https://manc.example.test/api/v1/users/reset-password')
    expect(mail).not.toContain('evil.test')
    expect((await reset(token)).body).toEqual({ status: 'success', detail: expect.any(String) })
    expect((await call(server.url, 'GET', '/api/v1/users/me', { token: old })).status).toBe(401)
    expect((await logIn(server.url, 'user', ann, 'first-password')).status).toBe(401)
    expect((await logIn(server.url, 'user', ann, 'second-password')).status).toBe(200)
    const again = await reset(token, 'third-password')
    expect([again.status, again.body]).toEqual([400, { detail: 'Invalid or expired token' }])
  })

  it('lets exactly one of 20 parallel uses of a token succeed', async () => {
    const bob = await signUp('bob')
    await recover(bob)
    const token = await mailbox.resetTokenFor(bob)
    const uses = Array.from({ length: 20 }, (_, n) => reset(token, `password-${n}`))
    const statuses = (await Promise.all(uses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 400)).toHaveLength(19)
  })

  it('invalidates an older token when a newer one is sent', async () => {
    const carl = await signUp('carl')
    await recover(carl)
    const older = await mailbox.resetTokenFor(carl)
    await recover(carl)
    const newer = await mailbox.resetTokenFor(carl, 1)
    expect((await reset(older)).status).toBe(400)
    expect((await reset(newer)).status).toBe(200)
  })

  it('rejects an expired token', async () => {
    const own = await createEnvironment(inject('engines'))
    const { MANC_SMTP_URL = '', MANC_PUBLIC_URL = '' } = environment.variables
    const brief = await startReplica({
      ...own.variables,
      MANC_SMTP_URL,
      MANC_PUBLIC_URL,
      MANC_RESET_TOKEN_SECONDS: '1',
    })
    try {
      const username = `${uniqueName('dora')}@example.test`
      const ask = (path: string, body: unknown) => call(brief.url, 'POST', `/api/v1/users/${path}`, { body })
      expect((await ask('signup', { username, password: 'first-password' })).status).toBe(200)
      await ask('password-recovery', { username })
      const token = await mailbox.resetTokenFor(username)
      await sleep(1100)
      expect((await ask('reset-password', { token, new_password: 'second-password' })).status).toBe(400)
    } finally {
      await brief.stop()
      await own.drop()
    }
  })

  it('stores tokens only as hashes and does not log them', async () => {
    const eve = await signUp('eve')
    await recover(eve)
    const token = await mailbox.resetTokenFor(eve)
    const rows = await environment.sql('select * from reset_tokens')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(server.logged()).not.toContain(token)
  })

  it('sends at most five e-mails per account and hour, with the same responses for unknown accounts', async () => {
    const fred = await signUp('fred')
    for (const username of [fred, `${uniqueName('unknown')}@example.test`]) {
      const answers = []
      for (let n = 0; n < 6; n++) answers.push(await recover(username))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
      expect(Number(answers[5]?.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  it('counts concurrent requests correctly', async () => {
    const crowd = `${uniqueName('crowd')}@example.test`
    const answers = await Promise.all(Array.from({ length: 12 }, () => recover(crowd)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  })

  it('responds the same without a mail server and logs a warning', async () => {
    const { MANC_SMTP_URL: _unused, ...variables } = environment.variables
    // What is asked for is in the database, for whichever server comes first.
    await server.stop()
    const silent = await startReplica(variables)
    try {
      const username = `${uniqueName('gil')}@example.test`
      await call(silent.url, 'POST', '/api/v1/users/signup', {
        body: { username, password: 'first-password' },
      })
      const { status, body } = await call(silent.url, 'POST', '/api/v1/users/password-recovery', {
        body: { username },
      })
      expect([status, body.status]).toEqual([200, 'success'])
      await expect.poll(() => silent.logged(), { timeout: 60_000 }).toContain('MANC_SMTP_URL is not set')
    } finally {
      await silent.stop()
      server = await startReplica(environment.variables)
    }
  })
})
