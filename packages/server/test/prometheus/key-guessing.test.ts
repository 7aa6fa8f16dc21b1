import { uniqueName } from '@manc/harness'
import { describe, expect } from 'vitest'
import { base, type PrometheusEnvironment, seen, test } from './environment.ts'

/** Of one account. When they are used up, a key that is not in the cache is refused, whether it is right or wrong. */
const it = test.override('variables', { MANC_LOGINS_PER_MINUTE: '3' })

let environment: PrometheusEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

/** Of a request with basic authentication, from an address of this machine. */
async function statusOf(name: string, key: string, localAddress: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${name}:${key}`).toString('base64')}`
  const reply = await environment.send('GET', `${base}/status/buildinfo`, { authorization, localAddress })
  return reply.status
}

/** Whose logins are used up: one was for a token, and one for each of the addresses. */
async function busyApp() {
  const app = { name: uniqueName('guessed'), key: uniqueName('key') }
  await environment.createApp(app, { scopes: ['metrics:read', 'history:read'], agents: [seen.apId] })
  expect(await statusOf(app.name, 'wrong', '127.0.0.1')).toBe(401)
  expect(await statusOf(app.name, app.key, '127.0.0.1')).toBe(200)
  expect(await statusOf(app.name, app.key, '127.0.0.2')).toBe(200)
  return app
}

describe('the key of an app that is in use', () => {
  it('is not compared with keys from other addresses', async () => {
    const { name, key } = await busyApp()
    expect(await statusOf(name, key, '127.0.0.3')).toBe(429)
    expect(await statusOf(name, key, '127.0.0.1')).toBe(200)
  })

  it('is compared with few keys from the same address', async () => {
    const { name, key } = await busyApp()
    const guesses = Array.from({ length: 20 }, (_, n) => statusOf(name, `guess-${n}`, '127.0.0.1'))
    expect(await Promise.all(guesses)).toEqual(Array(20).fill(429))
    expect(await statusOf(name, key, '127.0.0.1')).toBe(429)
    expect(await statusOf(name, key, '127.0.0.2')).toBe(200)
  })
})
