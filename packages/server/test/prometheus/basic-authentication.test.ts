import { uniqueName } from '@manc/harness'
import { describe, expect } from 'vitest'
import { base, type PrometheusEnvironment, seen, test } from './environment.ts'

/** Enough for the other tests, and fewer than requests are sent at a time. */
const it = test.override('variables', { MANC_LOGINS_PER_MINUTE: '8' })

let environment: PrometheusEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const basic = (name: string, key: string) => `Basic ${Buffer.from(`${name}:${key}`).toString('base64')}`
const values = (authorization: string | null, path = `${base}/label/ap_id/values`) =>
  environment.send('GET', path, { authorization })
const permissions = { scopes: ['metrics:read', 'history:read'], agents: [seen.apId] }

async function newApp() {
  const app = { name: uniqueName('basic'), key: uniqueName('key') }
  await environment.createApp(app, permissions)
  return app
}

describe('basic authentication', () => {
  it('identifies an app by its name and key, and sees what its token would', async () => {
    const { name, key } = environment.app
    const { status, text } = await values(basic(name, key))
    expect([status, JSON.parse(text).data]).toEqual([200, [seen.apId]])
  })

  it('logs in once for many requests', async () => {
    const { name, key } = await newApp()
    for (let n = 0; n < 2; n++) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => values(basic(name, key))))
      expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
    }
  })

  it('is 401 with a wrong key, an unknown app, a user, or malformed credentials', async () => {
    const { name, key } = await newApp()
    expect((await values(basic(name, key))).status).toBe(200)
    const { MANC_BOOTSTRAP_ADMIN_USERNAME: user = '', MANC_BOOTSTRAP_ADMIN_PASSWORD: password = '' } =
      environment.variables
    for (const authorization of [
      basic(name, 'wrong'),
      basic(name, `${key} `),
      basic(`${name} `, key),
      basic('unknown', key),
      basic(user, password),
      basic(name, ''),
      basic('', key),
      'Basic',
      'Basic !!!',
      `Basic ${Buffer.from(name).toString('base64')}`,
      `Basic ${'A'.repeat(4000)}`,
      null,
    ]) {
      const { status, text } = await values(authorization)
      expect([authorization, status]).toEqual([authorization, 401])
      expect(JSON.parse(text)).toEqual({ detail: expect.any(String) })
      expect(text).not.toContain(key)
    }
  })

  it('is for these paths only', async () => {
    const { name, key } = environment.app
    for (const path of ['/api/v1/metrics/agent_metrics?agent=x', '/api/v1/jobs', '/api/v1/fleet/figures'])
      expect([path, (await values(basic(name, key), path)).status]).toEqual([path, 401])
  })

  it('ends with the key or the app, and follows changed permissions', async () => {
    const { name, key } = await newApp()
    const change = (body: object) =>
      environment.request('PUT', `/api/v1/third_party_apps/${encodeURIComponent(name)}`, body)
    expect((await values(basic(name, key))).status).toBe(200)
    await change({ permissions: { scopes: ['agents:read'] } })
    expect((await values(basic(name, key))).status).toBe(403)
    await change({ permissions })
    expect((await values(basic(name, key))).status).toBe(200)
    await change({ api_key: 'another key' })
    expect((await values(basic(name, key))).status).toBe(401)
    expect((await values(basic(name, 'another key'))).status).toBe(200)
    await environment.request('DELETE', `/api/v1/third_party_apps/${encodeURIComponent(name)}`)
    expect((await values(basic(name, 'another key'))).status).toBe(401)
  })

  it('accepts the longest name and key', async () => {
    const app = { name: uniqueName('a').padEnd(64, 'a'), key: '\u{1f511}'.repeat(128) }
    await environment.createApp(app, permissions)
    expect((await values(basic(app.name, app.key))).status).toBe(200)
  })
})
