import type { AuditRecord } from '@manc/contract'
import { call, logIn, type TestEnvironment, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { startMailInbox } from '@manc/harness/mail-inbox'
import { afterAll, describe, expect } from 'vitest'

const inbox = await startMailInbox()
const it = test.override('variables', {
  MANC_SIGNUP: 'confirmed',
  MANC_SMTP_URL: inbox.url,
  MANC_CONFIRMATION_SECONDS: '1800',
  MANC_LOGIN_FREE_FAILURES: '3',
})
afterAll(() => inbox.stop())

const newAddress = (name: string) => `${uniqueName(name)}@example.test`

/** The requests of a person or of an attacker. */
const at = ({ url }: Pick<TestEnvironment, 'url'>) => {
  const post = (path: string, body: object) => call(url, 'POST', `/api/v1/users/${path}`, { body })
  return {
    signUp: (username: string, password: string) => post('signup', { username, password }),
    confirm: (token: string, password: string) => post('confirm-signup', { token, password }),
    reset: (token: string, password: string) => post('reset-password', { token, new_password: password }),
    recover: (username: string) => post('password-recovery', { username }),
    logIn: (username: string, password: string) => logIn(url, 'user', username, password),
  }
}

describe('an account from sign-up that is not confirmed', () => {
  it('cannot log in until the link of the e-mail was used, which works once', async ({ environment }) => {
    const { signUp, confirm, logIn: enter } = at(environment)
    const ann = newAddress('ann')
    const signedUp = await signUp(ann, 'a-password')
    expect([signedUp.status, signedUp.body]).toMatchObject([200, { username: ann, roles: 'user' }])
    const early = await enter(ann, 'a-password')
    expect([early.status, early.body.detail]).toEqual([403, expect.stringContaining('Open the link')])
    const token = await inbox.confirmationTokenFor(ann)
    const confirmed = await confirm(token, 'a-password')
    expect([confirmed.status, confirmed.body]).toEqual([200, signedUp.body])
    expect((await enter(ann, 'a-password')).status).toBe(200)
    const again = await confirm(token, 'a-password')
    expect([again.status, again.body]).toEqual([400, { detail: 'Invalid or expired token' }])
  })

  it('is confirmed by exactly one of 10 parallel requests with the link', async ({ environment }) => {
    const { signUp, confirm } = at(environment)
    const bob = newAddress('bob')
    await signUp(bob, 'a-password')
    const token = await inbox.confirmationTokenFor(bob)
    const uses = await Promise.all(Array.from({ length: 10 }, () => confirm(token, 'a-password')))
    const statuses = uses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 400)).toHaveLength(9)
  })

  it('that is replaced while it is confirmed causes no error of the server', async ({ environment }) => {
    const { signUp, confirm, reset } = at(environment)
    const fay = newAddress('fay')
    await signUp(fay, 'a-password')
    const token = await inbox.confirmationTokenFor(fay)
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => [
        signUp(fay, 'a-password'),
        confirm(token, 'a-password'),
        reset(token, 'a-password'),
      ]).flat(),
    )
    expect(responses.filter(({ status }) => ![200, 400, 409, 429].includes(status))).toEqual([])
  })

  it('looks like no account to a caller with a wrong password', async ({ environment }) => {
    const { signUp, logIn: enter } = at(environment)
    const carl = newAddress('carl')
    await signUp(carl, 'a-password')
    const wrong = await enter(carl, 'wrong-password')
    const unknown = await enter(newAddress('unknown'), 'wrong-password')
    expect([wrong.status, wrong.body]).toEqual([401, { detail: 'Incorrect username or password' }])
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body])
  })

  it('is not visible to administrators, who can create an account with its name', async ({ environment }) => {
    const { signUp, confirm, logIn: enter } = at(environment)
    const dora = newAddress('dora')
    await signUp(dora, 'a-password')
    const token = await inbox.confirmationTokenFor(dora)
    expect((await environment.request('GET', `/api/v1/users/${dora}`)).status).toBe(404)
    expect((await environment.request('PUT', `/api/v1/users/${dora}`, { roles: ['admin'] })).status).toBe(404)
    expect((await environment.request('DELETE', `/api/v1/users/${dora}`)).status).toBe(404)
    expect(JSON.stringify((await environment.request('GET', '/api/v1/users/')).body)).not.toContain(dora)
    const created = { username: dora, password: 'of-the-administrator', roles: ['operator'] }
    expect((await environment.request('POST', '/api/v1/users/', created)).status).toBe(200)
    expect((await confirm(token, 'a-password')).status).toBe(400)
    expect((await enter(dora, 'of-the-administrator')).status).toBe(200)
    expect((await signUp(dora, 'a-password')).status).toBe(409)
  })

  it('is removed after the lifetime of its link, with the link', async ({ environment }) => {
    const { signUp, confirm, logIn: enter } = at(environment)
    const eve = newAddress('eve')
    await signUp(eve, 'a-password')
    const token = await inbox.confirmationTokenFor(eve)
    expect(inbox.textsTo(eve)[0]).toContain('within 30 minutes')
    await environment.sql(
      `update users set confirm_by = confirm_by - interval '30 minutes' where username = $1`,
      [eve],
    )
    expect((await confirm(token, 'a-password')).status).toBe(400)
    expect((await enter(eve, 'a-password')).status).toBe(401)
    // The cleanup runs every minute, and when a server starts.
    await environment.startServer()
    const rows = () => environment.sql('select 1 from users where username = $1', [eve])
    await expect.poll(rows, { timeout: 60_000 }).toEqual([])
  })
})

describe('an attacker who signs up with the address of another person', () => {
  it('gets no account when that person opens the link, because the password is needed', async ({
    environment,
  }) => {
    const { signUp, confirm, logIn: enter } = at(environment)
    const victim = newAddress('victim')
    await signUp(victim, 'of-the-attacker')
    const token = await inbox.confirmationTokenFor(victim)
    const { status, body } = await confirm(token, 'of-the-victim')
    expect([status, body.detail]).toEqual([403, expect.stringContaining('password of the sign-up')])
    expect((await enter(victim, 'of-the-attacker')).status).toBe(403)
  })

  it('does not reserve the name: the person signs up, and the earlier password and link are void', async ({
    environment,
  }) => {
    const { signUp, confirm, logIn: enter } = at(environment)
    const victim = newAddress('victim')
    await signUp(victim, 'of-the-attacker')
    const first = await inbox.confirmationTokenFor(victim)
    expect((await signUp(victim.toUpperCase(), 'of-the-victim')).status).toBe(200)
    const second = await inbox.confirmationTokenFor(victim, 1)
    expect((await confirm(first, 'of-the-attacker')).status).toBe(400)
    expect((await confirm(second, 'of-the-victim')).status).toBe(200)
    expect((await enter(victim, 'of-the-attacker')).status).toBe(401)
  })

  it('cannot keep the person out by repeating it: the newest e-mail sets another password', async ({
    environment,
  }) => {
    const { signUp, reset, logIn: enter } = at(environment)
    const victim = newAddress('victim')
    const statuses: number[] = []
    for (let n = 0; n < 7; n++) statuses.push((await signUp(victim, 'of-the-attacker')).status)
    // Each sends an e-mail: as many as for password recovery.
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    // The newest e-mail may be on its way.
    const resetWithNewest = async () => {
      const newest = Math.max(0, inbox.textsTo(victim).length - 1)
      const token = await inbox.confirmationTokenFor(victim, newest)
      return (await reset(token, 'of-the-victim')).status
    }
    await expect.poll(resetWithNewest, { timeout: 80_000 }).toBe(200)
    expect((await enter(victim, 'of-the-victim')).status).toBe(200)
    expect((await enter(victim, 'of-the-attacker')).status).toBe(401)
  })

  it('cannot guess the password of the sign-up with the link without waiting', async ({ environment }) => {
    const { signUp, confirm } = at(environment)
    const victim = newAddress('victim')
    await signUp(victim, 'a-password')
    const token = await inbox.confirmationTokenFor(victim)
    const statuses: number[] = []
    for (let n = 0; n < 13; n++) statuses.push((await confirm(token, `guess-${n}-guess`)).status)
    const wrong = statuses.filter((status) => status === 403).length
    expect(wrong).toBeLessThan(13)
    expect(statuses).toContain(429)
    const query = `action=login.failed&target=${victim}`
    const { body: found } = await environment.request('GET', `/api/v1/audit?${query}`)
    const counts: number[] = found.map(({ detail }: AuditRecord) => Number(detail['count'] ?? 1))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(wrong)
    expect(JSON.stringify(found)).not.toContain('-guess')
  })
})
