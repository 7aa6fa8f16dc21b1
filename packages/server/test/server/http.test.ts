import { call, startReplica, startServerProcess, type TestEnvironment, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'

const it = test.override('variables', {
  MANC_CORS_ORIGINS: 'https://console.example.test',
})

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

describe('health', () => {
  it('names each engine, on both listeners', async () => {
    for (const url of [environment.url, environment.server.internalUrl]) {
      expect((await call(url, 'GET', '/healthz')).body).toEqual({ status: 'ok' })
      const ready = await call(url, 'GET', '/readyz')
      expect(ready.body.engines).toEqual({ postgres: 'up', rabbitmq: 'up', victoriametrics: 'up' })
    }
  })

  it('is exported to Prometheus on the internal listener only', async () => {
    await environment.request('GET', '/api/v1/users/me')
    const { body, headers } = await call(environment.server.internalUrl, 'GET', '/metrics')
    expect(headers.get('content-type')).toContain('text/plain')
    expect(body).toMatch(/manc_http_request_duration_seconds_count\{.*operation="getMe".*\} \d+/)
    expect((await call(environment.url, 'GET', '/metrics')).status).toBe(404)
  })
})

describe('every response', () => {
  it("has security headers and a request id, which is the caller's if it sent one", async () => {
    const plain = await call(environment.url, 'GET', '/healthz')
    expect(plain.headers.get('x-content-type-options')).toBe('nosniff')
    expect(plain.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(plain.headers.get('x-request-id')).toMatch(/^[\w-]+$/)
    const named = await call(environment.url, 'GET', '/healthz', { headers: { 'x-request-id': 'mine-1' } })
    expect(named.headers.get('x-request-id')).toBe('mine-1')
    const hostile = await call(environment.url, 'GET', '/healthz', { headers: { 'x-request-id': '<b>"{}' } })
    expect(hostile.headers.get('x-request-id')).not.toContain('<')
  })

  it('is readable by pages of allowed origins, and no others', async () => {
    const from = (origin: string) => call(environment.url, 'GET', '/healthz', { headers: { origin } })
    const allowed = await from('https://console.example.test')
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://console.example.test')
    expect((await from('https://evil.example.test')).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('allows all methods in a CORS preflight', async () => {
    const { headers, status } = await call(environment.url, 'OPTIONS', '/api/v1/agents/x', {
      headers: {
        origin: 'https://console.example.test',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, DELETE')
  })

  it('has a JSON body even for invalid HTTP', async () => {
    const { status, body } = await call(environment.url, 'GET', '/healthz', {
      headers: { long: 'x'.repeat(20_000) },
    })
    expect([status, body]).toEqual([431, { detail: 'Request Header Fields Too Large' }])
  })

  it('is the same with and without the trailing slash', async () => {
    for (const path of ['/api/v1/users', '/api/v1/users/', '/api/v1/users/me', '/api/v1/users/me/'])
      expect((await environment.request('GET', path)).status).toBe(200)
  })
})

describe('rate limits', () => {
  it('count sign-ups by address', async () => {
    const limited = await startReplica({ ...environment.variables, MANC_SIGNUPS_PER_MINUTE: '3' })
    try {
      const signUp = () =>
        call(limited.url, 'POST', '/api/v1/users/signup', {
          body: { username: `${uniqueName('user')}@example.test`, password: 'password-1' },
        })
      const answers = []
      for (let n = 0; n < 4; n++) answers.push(await signUp())
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
      expect(answers[3]?.body).toEqual({ detail: expect.any(String) })
      expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await limited.stop()
    }
  })

  it('count requests per caller', async () => {
    const limited = await startReplica({ ...environment.variables, MANC_RATE_CALLER_PER_MINUTE: '5' })
    try {
      const statuses = []
      for (let n = 0; n < 6; n++)
        statuses.push(
          (await call(limited.url, 'GET', '/api/v1/users/me', { token: environment.adminToken })).status,
        )
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
      expect((await call(limited.url, 'GET', '/api/v1/users/me')).status).toBe(401)
    } finally {
      await limited.stop()
    }
  })
})

describe('the list of users', () => {
  it('streams 10,000 users while the process grows by less than 50 MB', async () => {
    await environment.sql('delete from users where not is_admin')
    await environment.sql(
      `insert into users (id, username, username_key, password_hash, roles, is_admin)
       select gen_random_uuid(), name, name, 'x', array['user', repeat('label', 12)], false
       from (select 'user' || n || '@list.example.test' as name from generate_series(1, 10000) as n) as names`,
    )
    const alone = await startServerProcess(environment.variables)
    try {
      const list = () => call(alone.url, 'GET', '/api/v1/users/', { token: environment.adminToken })
      const residentBytes = async () => {
        const { body } = await call(alone.internalUrl, 'GET', '/metrics')
        return Number(/^process_resident_memory_bytes (\S+)/m.exec(body)?.[1])
      }
      // The first small answers load code; what counts is what a long list adds.
      for (let n = 0; n < 20; n++)
        await call(alone.url, 'GET', '/api/v1/users/?limit=10', { token: environment.adminToken })
      const before = await residentBytes()
      const { status, body } = await list()
      const grownBy = (await residentBytes()) - before
      expect([status, body.length]).toEqual([200, 10_000 + 1])
      expect(grownBy).toBeLessThan(50 * 1024 * 1024)
    } finally {
      await alone.stop()
    }
  })
})
