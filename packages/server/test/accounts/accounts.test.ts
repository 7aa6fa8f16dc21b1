import { admin, call, logIn, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const api = (method: string, path: string, body?: unknown, as = environment.adminToken) =>
  environment.request(method, path, body, as)

/** Answers the address of a new user. */
async function signUp(name: string, password: string): Promise<string> {
  const username = `${uniqueName(name)}@example.test`
  const { status, body } = await call(environment.url, 'POST', '/api/v1/users/signup', {
    body: { username, password },
  })
  expect([status, body.roles]).toEqual([200, 'user'])
  return username
}

/** Answers the id of a new agent. */
async function newAgent(name: string): Promise<string> {
  const ap_id = uniqueName(name)
  const { status } = await api('POST', '/api/v1/agents/', { ap_id, password: 'p', configuration: {} })
  expect(status).toBe(200)
  return ap_id
}

describe('logging in', () => {
  it('returns a bearer token of 1,800 s for a user', async () => {
    const { status, body, headers } = await logIn(environment.url, 'user', admin.username, admin.password)
    expect(status).toBe(200)
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 1800 })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('ignores the case of user names', async () => {
    expect((await logIn(environment.url, 'user', 'ADMIN@manc.TEST', admin.password)).status).toBe(200)
  })

  it('returns tokens of 3,600 s for agents and apps', async () => {
    await api('POST', '/api/v1/agents/', { ap_id: 'login-ap', password: 'x', configuration: {} })
    await api('POST', '/api/v1/third_party_apps/', { app_name: 'login app', api_key: 'k', permissions: {} })
    expect((await logIn(environment.url, 'agent', 'login-ap', 'x')).body.expires_in).toBe(3600)
    expect((await logIn(environment.url, 'third_party_app', 'login app', 'k')).body.expires_in).toBe(3600)
  })

  it('rejects the wrong login type like a wrong password', async () => {
    const wrong = await logIn(environment.url, 'agent', admin.username, admin.password)
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual({ detail: 'Incorrect username or password' })
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('rejects a name with U+0000 like an unknown name', async () => {
    expect((await logIn(environment.url, 'user', 'a\0@b.test', 'password')).status).toBe(401)
  })
})

describe('users', () => {
  it('are returned with joined roles and scopes, and never with a password', async () => {
    const ann = uniqueName('ann')
    const created = await api('POST', '/api/v1/users/', {
      username: ` ${ann.replace('ann', 'Ann')}@Example.TEST `,
      password: 'ann-password',
      roles: ['Operator', 'night shift'],
    })
    expect(created.status).toBe(200)
    expect(created.body).toEqual({
      username: `${ann.replace('ann', 'Ann')}@example.test`,
      roles: 'Operator,night shift',
      scopes: [
        'agents:read',
        'metrics:read',
        'history:read',
        'commands:send',
        'emulator:spinup',
        'clients:read',
        'alarms:read',
        'alarms:write',
        'decisions:read',
        'decisions:write',
        'experiments:read',
        'experiments:write',
      ],
    })
    expect((await api('GET', `/api/v1/users/${ann}@example.test`)).body).toEqual(created.body)
  })

  it('are rejected when the name differs only in case', async () => {
    const ann = await signUp('ann', 'ann-password')
    const again = { username: ann.replace('ann', 'ANN'), password: 'ann-password', roles: [] }
    const { status, body } = await api('POST', '/api/v1/users', again)
    expect([status, body]).toEqual([409, { detail: 'User already registered' }])
  })

  it('log in with any equivalent spelling of their address', async () => {
    const [bob, other, cafe] = [uniqueName('bob'), uniqueName('other'), uniqueName('')]
    for (const [n, [signedUp, typed]] of [
      [`${bob}@xn--bcher-kva.example`, `${bob.replace('bob', 'BOB')}@xn--bcher-kva.example`],
      [`${other}@b\u00fccher.example`, `${other}@xn--bcher-kva.example`],
      [`caf\u00e9${cafe}@example.test`, `cafe\u0301${cafe}@example.test`],
    ].entries()) {
      const created = await call(environment.url, 'POST', '/api/v1/users/signup', {
        body: { username: signedUp, password: 'same-password' },
      })
      expect([n, created.status]).toEqual([n, 200])
      expect((await logIn(environment.url, 'user', typed ?? '', 'same-password')).status).toBe(200)
    }
  })

  it('get the standard role when none is given', async () => {
    const { body } = await api('POST', '/api/v1/users/', {
      username: `${uniqueName('bob')}@example.test`,
      password: 'bob-password',
      roles: [],
    })
    expect(body.roles).toBe('user')
  })

  it('get the standard role at sign-up', async () => {
    const username = `${uniqueName('carl')}@example.test`
    const { status, body } = await call(environment.url, 'POST', '/api/v1/users/signup', {
      body: { username, password: 'carl-password' },
    })
    expect([status, body.roles]).toEqual([200, 'user'])
  })

  it('can read and change their own record at /me', async () => {
    const username = await signUp('carl', 'carl-password')
    const carl = await tokenOf(environment.url, 'user', username, 'carl-password')
    const me = await api('GET', '/api/v1/users/me', undefined, carl)
    expect([me.status, me.body.username]).toEqual([200, username])
    expect((await api('PUT', '/api/v1/users/me', { password: 'carl-password' }, carl)).status).toBe(200)
  })

  it('keep their sessions on an update without changes, and lose them on a change', async () => {
    const username = await signUp('carl', 'carl-password')
    const carl = await tokenOf(environment.url, 'user', username, 'carl-password')
    await api('PUT', `/api/v1/users/${username}`, { password: 'carl-password', roles: ['user'] })
    await api('PUT', `/api/v1/users/${username}`, { password: null, roles: null })
    expect((await api('GET', '/api/v1/users/me', undefined, carl)).status).toBe(200)
    await api('PUT', `/api/v1/users/${username}`, { roles: ['operator'] })
    const ended = await api('GET', '/api/v1/users/me', undefined, carl)
    expect([ended.status, ended.body]).toEqual([401, { detail: 'Could not validate credentials' }])
  })

  it('always include at least one administrator', async () => {
    for (const attempt of [
      await api('DELETE', `/api/v1/users/${admin.username}`),
      await api('PUT', `/api/v1/users/${admin.username}`, { roles: ['user'] }),
    ]) {
      expect(attempt.status).toBe(409)
      expect(attempt.body.detail).toMatch(/last administrator/)
    }
  })

  it('lose their sessions when they are deleted', async () => {
    const username = await signUp('ann', 'ann-password')
    const ann = await tokenOf(environment.url, 'user', username, 'ann-password')
    const { body } = await api('DELETE', `/api/v1/users/${username}`)
    expect(body).toEqual({ status: 'success', detail: expect.any(String) })
    expect((await api('GET', '/api/v1/users/me', undefined, ann)).status).toBe(401)
    expect((await api('GET', `/api/v1/users/${username}`)).status).toBe(404)
  })

  it('are listed page by page with a limit, and completely without', async () => {
    const first = await api('GET', '/api/v1/users?limit=2')
    expect(first.body).toHaveLength(2)
    const next = /<(.+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1]
    const second = await api('GET', next ?? '')
    const all = await api('GET', '/api/v1/users/')
    expect([...first.body, ...second.body]).toEqual(all.body.slice(0, 4))
  })
})

describe('agents', () => {
  const configuration = {
    z: 1,
    a: { geolocation: { lat: '51.45', lng: -2.58 } },
    text: 'é\u0000"\ud800',
    list: [],
  }

  it('keep their configuration exactly as it was sent, including its order', async () => {
    const ap_id = uniqueName('AA:BB:CC:00:11:22')
    const created = await api('POST', '/api/v1/agents/', { ap_id, password: 'p', configuration })
    expect(created.status).toBe(200)
    expect(created.body).toEqual({ id: expect.any(String), ap_id, configuration })
    const read = await api('GET', `/api/v1/agents/${ap_id}`)
    expect(JSON.stringify(read.body.configuration)).toBe(JSON.stringify(configuration))
  })

  it('are rejected when the id is registered already', async () => {
    const again = { ap_id: await newAgent('again'), password: 'p', configuration: {} }
    const { status, body } = await api('POST', '/api/v1/agents/', again)
    expect([status, body]).toEqual([409, { detail: 'Agent already registered' }])
  })

  it('can change their own configuration and keep their session', async () => {
    const apId = await newAgent('changes')
    const own = await tokenOf(environment.url, 'agent', apId, 'p')
    const put = (body: unknown) => api('PUT', `/api/v1/agents/${apId}`, body, own)
    expect((await put({ configuration: { mode: 'new' } })).body.configuration).toEqual({ mode: 'new' })
    expect((await put({ configuration: null })).body.configuration).toEqual({ mode: 'new' })
    expect((await put({ password: 'q' })).status).toBe(200)
    expect((await put({})).status).toBe(401)
  })

  it('are not found by ids that cannot exist', async () => {
    for (const id of ['missing', 'a.b', '%00', '%2e%2e%2f', 'x'.repeat(300)]) {
      const { status, body } = await api('GET', `/api/v1/agents/${id}`)
      expect([id, status, body]).toEqual([id, 404, { detail: 'Agent not found' }])
    }
  })

  it('are rejected with more than 64 KiB of configuration', async () => {
    const { status, body } = await api('POST', '/api/v1/agents/', {
      ap_id: 'large',
      password: 'p',
      configuration: { text: 'x'.repeat(65_536) },
    })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'configuration']])
  })

  it('register with an enrolment token within its uses, its lifetime and its name pattern', async () => {
    const shop = uniqueName('shop')
    const made = await api('POST', '/api/v1/enrolment_tokens', { ap_id_pattern: `${shop}-*`, max_uses: 2 })
    expect(made.status).toBe(200)
    const enrol = (ap_id: string) =>
      api('POST', '/api/v1/agents/public', { ap_id, password: 'p', configuration: {} }, made.body.token)
    expect((await enrol('other-1')).status).toBe(403)
    expect((await enrol(`${shop}-1`)).status).toBe(200)
    expect((await enrol(`${shop}-1`)).status).toBe(409)
    const rest = await Promise.all([2, 3, 4].map((n) => enrol(`${shop}-${n}`)))
    expect(rest.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    const { body: left } = await api('GET', '/api/v1/enrolment_tokens')
    expect(left.filter(({ id }: { id: string }) => id === made.body.id)).toEqual([])
  })

  it('cannot register with a deleted enrolment token, nor use a valid one for other operations', async () => {
    const { body } = await api('POST', '/api/v1/enrolment_tokens', {})
    const apId = await newAgent('shop')
    expect((await api('GET', `/api/v1/agents/${apId}`, undefined, body.token)).status).toBe(403)
    const all = (await api('GET', '/api/v1/enrolment_tokens')).body
    const listed = all.find(({ id }: { id: string }) => id === body.id)
    expect(listed).toBeDefined()
    expect(listed).not.toHaveProperty('token')
    expect((await api('DELETE', `/api/v1/enrolment_tokens/${body.id}`)).status).toBe(200)
    const late = { ap_id: 'late', password: 'p', configuration: {} }
    expect((await api('POST', '/api/v1/agents/public', late, body.token)).status).toBe(401)
    expect((await api('DELETE', `/api/v1/enrolment_tokens/${body.id}`)).status).toBe(404)
  })
})

describe('third-party apps', () => {
  const newApp = () => ({
    app_name: uniqueName('steering app'),
    api_key: 'the-very-secret-key',
    permissions: { agents: ['lab-*'] },
  })

  it('are returned with their key, which is encrypted at rest', async () => {
    const app = newApp()
    const created = await api('POST', '/api/v1/third_party_apps/', app)
    expect(created.body).toEqual({ id: expect.any(String), ...app })
    const path = `/api/v1/third_party_apps/${encodeURIComponent(app.app_name)}`
    expect((await api('GET', path)).body.api_key).toBe(app.api_key)
  })

  it('are listed by name, in pages or completely, without their keys', async () => {
    const added = [uniqueName('steering app'), uniqueName('b app'), uniqueName('c app')]
    for (const name of added)
      await api('POST', '/api/v1/third_party_apps/', {
        app_name: name,
        api_key: `the-very-secret-key of ${name}`,
        permissions: { priority: 3 },
      })
    const all = await api('GET', '/api/v1/third_party_apps/')
    const names = all.body.map((app: { app_name: string }) => app.app_name)
    expect(names).toEqual(names.toSorted())
    expect(names).toEqual(expect.arrayContaining(added))
    expect(all.body.find((app: { app_name: string }) => app.app_name === added[1])).toEqual({
      id: expect.any(String),
      app_name: added[1],
      permissions: { priority: 3 },
      scopes: expect.any(Array),
      state: 'production',
    })
    expect(JSON.stringify(all.body)).not.toContain('the-very-secret-key')
    const first = await api('GET', '/api/v1/third_party_apps/?limit=2')
    const next = /<(.+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await api('GET', next)
    expect([...first.body, ...second.body]).toEqual(all.body.slice(0, 4))
  })

  it('see only the agents that their permissions name', async () => {
    const [lab, shop] = [await newAgent('lab'), await newAgent('shop')]
    const app = newApp()
    await api('POST', '/api/v1/third_party_apps/', app)
    const tokenOfApp = () => tokenOf(environment.url, 'third_party_app', app.app_name, app.api_key)
    const own = await tokenOfApp()
    expect((await api('GET', `/api/v1/agents/${lab}`, undefined, own)).status).toBe(200)
    expect((await api('GET', `/api/v1/agents/${shop}`, undefined, own)).status).toBe(403)
    const path = `/api/v1/third_party_apps/${encodeURIComponent(app.app_name)}`
    await api('PUT', path, { permissions: { 'agents:read': false } })
    expect((await api('GET', `/api/v1/agents/${lab}`, undefined, own)).status).toBe(401)
    expect((await api('GET', `/api/v1/agents/${lab}`, undefined, await tokenOfApp())).status).toBe(403)
  })
})
