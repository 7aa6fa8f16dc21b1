import { describe, expect } from 'vitest'
import { largestConfiguration } from './agents.ts'
import { expectNoSecrets, test as it, type RecordingEnvironment } from './environment.ts'
import { secret } from './shape.ts'
import { nested } from './whole-bodies.ts'

let environment: RecordingEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

let made = 0

describe('input at the limits is accepted:', () => {
  it.each([
    ['8 characters', secret('8')],
    ['256 characters', secret('x'.repeat(249))],
    ['8 emoji, which are 16 units of UTF-16', '🔑'.repeat(8)],
    ['256 emoji, which are 1,024 bytes', secret('🔑'.repeat(249))],
    ['8 characters of which one is U+0000', secret('\0')],
  ])("a user's password of %s, with which the user then logs in", async (_, password) => {
    const username = `within-${++made}@bad.test`
    expect(await statusOf('POST', '/api/v1/users/signup', { username, password })).toBe(200)
    expect(await logIn({ username, password })).toBe(200)
  })

  it("an agent's password of 1 and of 256 characters", async () => {
    for (const password of ['x', secret('x'.repeat(249))]) expect(await agent({ password })).toBe(200)
  })

  it('an ap_id of 1 and of 64 characters, and a MAC address', async () => {
    for (const ap_id of ['a', `x${'-_:9'.repeat(16).slice(1)}`, '00:1A:2b:3C:4d:5E'])
      expect(await agent({ ap_id })).toBe(200)
  })

  it('an app_name of 1 and of 64 characters, with spaces, dots and dashes', async () => {
    for (const app_name of ['a', `x${' ._-'.repeat(16).slice(1)}`]) {
      const app = { app_name, api_key: secret('key'), permissions: {} }
      expect(await statusOf('POST', '/api/v1/third_party_apps/', app)).toBe(200)
    }
  })

  it('32 roles, of 1 and of 64 characters, in any script', async () => {
    const roles = ['x', '👷'.repeat(64), ...Array.from({ length: 30 }, (_, index) => `Schicht ${index}`)]
    const user = { username: 'roles@bad.test', password: secret('roles'), roles }
    expect(await statusOf('POST', '/api/v1/users/', user)).toBe(200)
  })

  it('a configuration of exactly 64 KiB, and one nested 64 levels deep in its request', async () => {
    expect(await agent({ configuration: largestConfiguration })).toBe(200)
    const { configuration } = JSON.parse(nested(64))
    expect(await agent({ configuration })).toBe(200)
  })

  it('limits from 1 to 1000, in every integer notation that pydantic accepts', async () => {
    for (const limit of ['1', '1000', '5.0', '%205%20', '%2B5', '1_0'])
      expect(await statusOf('GET', `/api/v1/users/?limit=${limit}`)).toBe(200)
  })

  it('a grant type that is absent, empty or has "password" in it', async () => {
    const user = { username: 'grant@bad.test', password: secret('grant') }
    await statusOf('POST', '/api/v1/users/signup', user)
    for (const more of [{}, { grant_type: '' }, { grant_type: 'password' }, { grant_type: 'x-password' }])
      expect(await logIn({ ...user, ...more })).toBe(200)
  })

  it('unused and unknown fields of the login form', async () => {
    const user = { username: 'grant@bad.test', password: secret('grant') }
    const more = { scope: 'a b', client_id: 'c', client_secret: secret('client'), x: secret('x') }
    expect(await logIn({ ...user, ...more })).toBe(200)
  })

  it('null in an update, which changes nothing', async () => {
    await agent({ ap_id: 'kept', configuration: { kept: true } })
    const reply = await environment.asAdmin('PUT', '/api/v1/agents/kept', {
      password: null,
      configuration: null,
    })
    expect([reply.status, reply.json]).toMatchObject([200, { configuration: { kept: true } }])
  })
})

describe('a login does not check lengths:', () => {
  it('the shortest and the longest password are rejected like any wrong password', async () => {
    for (const password of ['x', secret('x'.repeat(400))])
      expect(await logIn({ username: 'grant@bad.test', password })).toBe(401)
  })
})

expectNoSecrets()

async function statusOf(method: string, path: string, json?: unknown): Promise<number> {
  return (await environment.asAdmin(method, path, json)).status
}

function agent(given: object): Promise<number> {
  const standard = { ap_id: `within-${++made}`, password: secret('agent'), configuration: {} }
  return statusOf('POST', '/api/v1/agents/', { ...standard, ...given })
}

async function logIn(form: Record<string, string>): Promise<number> {
  const path = '/api/v1/token/?login_type=user'
  return (await environment.send({ method: 'POST', path, body: new URLSearchParams(form) })).status
}
