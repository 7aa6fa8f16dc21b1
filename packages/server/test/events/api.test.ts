import type { NetworkEvent } from '@manc/contract'
import { admin, call, logIn, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

async function events(query: string, token = environment.adminToken): Promise<NetworkEvent[]> {
  const { status, body } = await environment.request('GET', `/api/v1/events?${query}`, undefined, token)
  expect([query, status]).toEqual([query, 200])
  return body
}

/** An event as a source appends it. */
const insert = (
  apId: string | null,
  more: { kind?: string; severity?: string; at?: string; by?: string } = {},
) =>
  environment.sql(
    `insert into events (at, kind, severity, ap_id, emulated_by, data)
     values (coalesce($4::timestamptz, date_trunc('milliseconds', now())), $2, $3, $1, $5, '{}')`,
    [apId, more.kind ?? 'online', more.severity ?? 'info', more.at ?? null, more.by ?? null],
  )

async function newUser(): Promise<{ id: string; token: string }> {
  const account = { username: `${uniqueName('user')}@manc.test`, password: 'user-password' }
  expect((await call(environment.url, 'POST', '/api/v1/users/signup', { body: account })).status).toBe(200)
  const token = await tokenOf(environment.url, 'user', account.username, account.password)
  const [{ id }] = await environment.sql('select id from users where username = $1', [account.username])
  return { id, token }
}

async function newApp(permissions: object): Promise<string> {
  const name = uniqueName('app')
  const body = { app_name: name, api_key: 'a-key', permissions }
  expect((await environment.request('POST', '/api/v1/third_party_apps/', body)).status).toBe(200)
  return tokenOf(environment.url, 'third_party_app', name, 'a-key')
}

describe('the list of events', () => {
  it('has all members of an event', async () => {
    const apId = uniqueName('ap')
    const at = new Date(Date.now() - 3_600_000).toISOString()
    await insert(apId, { at })
    expect(await events(`ap_id=${apId}`)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-z]+-[0-9a-z]+-[0-9a-z]+$/),
        at,
        kind: 'online',
        severity: 'info',
        ap_id: apId,
        subject: null,
        text: `${apId} is online.`,
        data: {},
      },
    ])
  })

  it('is filtered by agent, kinds, severities and time', async () => {
    const apId = uniqueName('filtered')
    const base = Date.now() - 86_400_000
    const at = (n: number) => new Date(base + n * 1000).toISOString()
    await insert(apId, { at: at(1) })
    await insert(apId, { at: at(2), kind: 'stale', severity: 'warning' })
    await insert(apId, { at: at(3), kind: 'offline', severity: 'critical' })
    await insert(uniqueName('other'), { at: at(3), kind: 'offline', severity: 'critical' })
    const kinds = async (query: string) => (await events(query)).map(({ kind }) => kind)
    expect(await kinds(`ap_id=${apId}`)).toEqual(['offline', 'stale', 'online'])
    expect(await kinds(`ap_id=${apId}&kind=online&kind=stale`)).toEqual(['stale', 'online'])
    expect(await kinds(`ap_id=${apId}&severity=critical&severity=warning`)).toEqual(['offline', 'stale'])
    expect(await kinds(`ap_id=${apId}&from=${at(2)}`)).toEqual(['offline', 'stale'])
    expect(await kinds(`ap_id=${apId}&to=${at(2)}`)).toEqual(['stale', 'online'])
    const window = `from=${at(1)}&to=${at(3)}`
    expect(await kinds(`${window}&kind=offline&kind=online`)).toEqual(['offline', 'offline', 'online'])
    expect(await kinds(`${window}&severity=critical`)).toEqual(['offline', 'offline'])
    expect(await kinds(`${window}&kind=stale&severity=critical`)).toEqual([])
  })

  it('refuses unknown kinds, wrong cursors and too large pages', async () => {
    for (const query of ['kind=none', 'severity=none', 'after=x', 'limit=1001', 'from=never'])
      expect((await environment.request('GET', `/api/v1/events?${query}`)).status).toBe(422)
  })

  it('is read page by page through the Link header, also while events are inserted', async () => {
    const apId = uniqueName('paged')
    for (let n = 0; n < 25; n++) await insert(apId, { kind: n % 2 === 0 ? 'online' : 'offline' })
    const before = (await events(`ap_id=${apId}&kind=online&kind=offline&limit=1000`)).map(({ id }) => id)
    const found: string[] = []
    let next: string | undefined = `/api/v1/events?ap_id=${apId}&kind=online&kind=offline&limit=4`
    while (next !== undefined) {
      const { status, body, headers } = await environment.request('GET', next)
      expect(status).toBe(200)
      found.push(...(body as NetworkEvent[]).map(({ id }) => id))
      next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
      await insert(apId)
    }
    expect(found).toEqual(before)
    expect(found).toHaveLength(25)
  })

  it('is exported as JSON lines', async () => {
    const apId = uniqueName('exported')
    await environment.sql(
      `insert into events (kind, severity, ap_id, data) select 'online', 'info', $1, '{}' from generate_series(1, 2500)`,
      [apId],
    )
    const response = await fetch(`${environment.url}/api/v1/events/export?ap_id=${apId}`, {
      headers: { authorization: `Bearer ${environment.adminToken}` },
    })
    expect(response.headers.get('content-type')).toMatch('application/x-ndjson')
    const lines = (await response.text()).trim().split('\n')
    expect(new Set(lines.map((line) => (JSON.parse(line) as NetworkEvent).id)).size).toBe(2500)
  })
})

describe('who sees which events', () => {
  it('apps see those of agents that their permissions cover', async () => {
    const [seen, unseen] = [uniqueName('seen'), uniqueName('unseen')]
    for (const apId of [seen, unseen]) await insert(apId)
    const app = await newApp({ agents: ['seen-*'] })
    const visible = (await events('limit=1000', app)).map(({ ap_id: apId }) => apId)
    expect(visible).toContain(seen)
    expect(new Set(visible.map((apId) => apId?.split('-')[0]))).toEqual(new Set(['seen']))
    expect(await events(`ap_id=${unseen}`, app)).toEqual([])
    expect(await events(`ap_id=${unseen}&kind=online`, app)).toEqual([])
  })

  it('apps see those of alarms only with the scope to read alarms', async () => {
    const apId = uniqueName('alarm')
    await insert(apId, { kind: 'alarm_raised' })
    const query = `ap_id=${apId}`
    expect(await events(query)).toHaveLength(1)
    expect(await events(query, await newApp({ scopes: ['agents:read'] }))).toEqual([])
    expect(await events(query, await newApp({ scopes: ['agents:read', 'alarms:read'] }))).toHaveLength(1)
  })

  it('an app without the permission is refused', async () => {
    const app = await newApp({ listEvents: false })
    for (const path of ['/api/v1/events', '/api/v1/events/export'])
      expect((await environment.request('GET', path, undefined, app)).status).toBe(403)
  })

  it('emulated agents of others are left out by default', async () => {
    const [owner, other] = [await newUser(), await newUser()]
    const apId = uniqueName('emulated')
    await insert(apId, { by: owner.id })
    const count = async (query: string, token: string) =>
      (await events(`ap_id=${apId}${query}`, token)).length
    expect(await count('', owner.token)).toBe(1)
    expect(await count('', other.token)).toBe(0)
    expect(await count('&emulated=all', other.token)).toBe(1)
    expect(await count('&emulated=none', owner.token)).toBe(0)
  })

  it('logins of administrators are for administrators', async () => {
    expect((await logIn(environment.url, 'user', admin.username, admin.password)).status).toBe(200)
    const [login] = await events('kind=admin_login')
    expect(login).toMatchObject({ subject: admin.username, ap_id: null, severity: 'info' })
    const { token } = await newUser()
    expect(await events('kind=admin_login', token)).toEqual([])
    expect((await events('limit=1000', token)).map(({ kind }) => kind)).not.toContain('admin_login')
    expect(await events('kind=admin_login', await newApp({}))).toEqual([])
  })
})
