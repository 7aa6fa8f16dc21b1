import type { AuditRecord } from '@manc/contract'
import { admin, call, logIn, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'

const limit = 5
const it = test.override('variables', {
  MANC_AUDIT_ENTRIES_PER_MINUTE: String(limit),
  MANC_LOGIN_FREE_FAILURES: '1000',
  MANC_WAITING_COMMANDS: '1000',
})

async function entries(environment: TestEnvironment, query: string): Promise<AuditRecord[]> {
  const { status, body } = await environment.request('GET', `/api/v1/audit?limit=1000&${query}`)
  expect([status, query]).toEqual([200, query])
  return body
}

/** An entry without a count is for one event. */
const events = (found: AuditRecord[]) =>
  found.reduce((sum, { detail }) => sum + Number(detail['count'] ?? 1), 0)

async function reached(environment: TestEnvironment): Promise<number> {
  const { body } = await call(environment.server.internalUrl, 'GET', '/metrics')
  return Number(/limit="MANC_AUDIT_ENTRIES_PER_MINUTE"\} (\d+)/.exec(body)?.[1])
}

it('an app that sends commands without pause cannot fill the audit log', async ({ environment }) => {
  const [app, agent] = [uniqueName('flood'), uniqueName('flooded')]
  await environment.request('POST', '/api/v1/agents/', { ap_id: agent, password: 'p', configuration: {} })
  const permissions = { scopes: ['commands:send'] }
  await environment.request('POST', '/api/v1/third_party_apps/', { app_name: app, api_key: 'k', permissions })
  const token = await tokenOf(environment.url, 'third_party_app', app, 'k')
  const before = await reached(environment)
  for (let sent = 0; sent < 40; sent++) {
    const route = `/api/v1/send_command?agent_id=${agent}&command=reboot`
    expect((await call(environment.url, 'POST', route, { token })).status).toBe(200)
  }
  const found = await entries(environment, `actor=${app}&action=agent.command`)
  expect(events(found)).toBe(40)
  // The commands may fall into two minutes, with the entries of each in up to four rows.
  expect(found.length).toBeLessThanOrEqual(2 * (limit + 4))
  expect(found.find(({ target }) => target === '*')?.detail).toMatchObject({
    count: expect.any(Number),
    last_at: expect.any(String),
  })
  expect(await reached(environment)).toBeGreaterThan(before)
})

it('failed logins of one account are one audit entry per address and minute, with a count', async ({
  environment,
}) => {
  const user = {
    username: `${uniqueName('guessed')}@abuse.test`,
    password: 'right-password',
    roles: ['user'],
  }
  await environment.request('POST', '/api/v1/users/', user)
  for (let attempt = 0; attempt < 20; attempt++)
    expect((await logIn(environment.url, 'user', user.username, `guess-${attempt}`)).status).toBe(401)
  const found = await entries(environment, `action=login.failed&target=${user.username}`)
  expect(events(found)).toBe(20)
  expect(found.length).toBeLessThanOrEqual(2)
  expect(found[0]).toMatchObject({
    actor_kind: 'anonymous',
    actor: '127.0.0.1',
    detail: { login_type: 'user' },
  })
  expect(JSON.stringify(found)).not.toContain('guess-')
})

it('failed logins with invented names cannot fill the audit log, and the names are not stored', async ({
  environment,
}) => {
  const before = events(await entries(environment, 'action=login.failed&target=unknown'))
  for (let attempt = 0; attempt < 20; attempt++)
    await logIn(environment.url, 'user', `typed-password-${attempt}`, 'x')
  const found = await entries(environment, 'action=login.failed&target=unknown')
  expect(events(found) - before).toBe(20)
  expect(found.length).toBeLessThanOrEqual(3)
  expect(JSON.stringify(await entries(environment, ''))).not.toContain('typed-password')
})

it('failed logins to many accounts are counted in one entry beyond the limit', async ({ environment }) => {
  const apps = Array.from({ length: 12 }, () => uniqueName('many'))
  for (const name of apps)
    await environment.request('POST', '/api/v1/third_party_apps/', {
      app_name: name,
      api_key: 'k',
      permissions: {},
    })
  const isOfThis = ({ target }: AuditRecord) => apps.includes(target) || target === '*'
  const before = (await entries(environment, 'action=login.failed')).filter(isOfThis)
  for (const name of apps) await logIn(environment.url, 'third_party_app', name, 'wrong')
  const found = (await entries(environment, 'action=login.failed')).filter(isOfThis)
  expect(events(found) - events(before)).toBe(apps.length)
  expect(found.length).toBeLessThanOrEqual(2 * (limit + 1))
  expect(found.some(({ target }) => target === '*')).toBe(true)
})

it('a login of a user or an app is an audit entry with its address', async ({ environment }) => {
  const found = await entries(environment, `action=login&actor=${admin.username}`)
  expect(found[0]).toMatchObject({
    actor_kind: 'user',
    target: admin.username,
    detail: { address: '127.0.0.1', count: expect.any(Number) },
  })
})

it('a fleet that logs in again and again cannot fill the audit log', async ({ environment }) => {
  const agent = uniqueName('device')
  await environment.request('POST', '/api/v1/agents/', { ap_id: agent, password: 'p', configuration: {} })
  for (let login = 0; login < 5; login++) await tokenOf(environment.url, 'agent', agent, 'p')
  expect(await entries(environment, `actor=${agent}`)).toEqual([])
})

it('an enrolment is an audit entry with the id of its token', async ({ environment }) => {
  const { body: token } = await environment.request('POST', '/api/v1/enrolment_tokens', {
    ap_id_pattern: 'en-*',
  })
  const agent = { ap_id: uniqueName('en'), password: 'p', configuration: {} }
  const enrolled = await call(environment.url, 'POST', '/api/v1/agents/public', {
    token: token.token,
    body: agent,
  })
  expect(enrolled.status).toBe(200)
  const [found] = await entries(environment, `action=agent.create&target=${agent.ap_id}`)
  expect(found).toMatchObject({
    actor_kind: 'enrolment',
    actor: '127.0.0.1',
    detail: { enrolment_token: token.id, created_by: admin.username },
  })
  expect(JSON.stringify(found)).not.toContain(token.token)
})
