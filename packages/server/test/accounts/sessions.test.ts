import { closeCodes, operations } from '@manc/contract'
import { admin, call, type Replica, startReplica, type TestEnvironment, tokenOf } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { afterAll, describe, expect } from 'vitest'
import { WebSocket } from 'ws'
import { Forgery } from '../grid/forgery.ts'

const it = test

let environment: TestEnvironment
let other: Replica

it.beforeAll(async ({ environment: own }) => {
  environment = own
  other = await startReplica(environment.variables)
})

afterAll(() => other?.stop())

const logIn = () => tokenOf(environment.url, 'user', admin.username, admin.password)
const statusAt = async (url: string, token: string) =>
  (await call(url, 'GET', '/api/v1/users/me', { token })).status
const renew = (token: string) => call(environment.url, 'POST', '/api/v1/token/renew', { token })
const end = (token: string) => call(environment.url, 'DELETE', '/api/v1/token/', { token })

/** A token of the session that began at this time. */
function loggedInAt(token: string, secondsAgo: number): Promise<string> {
  const auth_time = Math.floor(Date.now() / 1000) - secondsAgo
  return new Forgery(token, environment.variables['MANC_TOKEN_KEY'] ?? '').make({ claims: { auth_time } })
}

describe('a session', () => {
  it('that is ended by logging out is over on every replica, and other sessions continue', async () => {
    const [token, another] = [await logIn(), await logIn()]
    const renewed = (await renew(token)).body.access_token
    expect((await end(token)).body).toEqual({ status: 'success', detail: expect.any(String) })
    for (const old of [token, renewed]) {
      expect(await statusAt(environment.url, old)).toBe(401)
      await expect.poll(() => statusAt(other.url, old), { timeout: 30_000 }).toBe(401)
      expect((await renew(old)).status).toBe(401)
      expect((await end(old)).status).toBe(401)
    }
    for (const url of [environment.url, other.url]) expect(await statusAt(url, another)).toBe(200)
  })

  it('closes its WebSockets when it ends', async () => {
    const token = await logIn()
    const agent = { ap_id: 'watched-agent', password: 'a-password', configuration: {} }
    await environment.request('POST', '/api/v1/agents/', agent)
    const { method, path: subscribe } = operations.subscribeAgentData
    const requested = await call(environment.url, method, `${subscribe}?agent_id=${agent.ap_id}`, { token })
    const path = `/api/v1/ws/${requested.body.job_number}`
    const socket = new WebSocket(environment.url.replace('http', 'ws') + path, ['manc.v1', 'bearer', token])
    const closed = new Promise((resolve) => socket.on('close', (code) => resolve(code)))
    await new Promise((resolve) => socket.on('open', resolve))
    await end(token)
    expect(await closed).toBe(closeCodes.tokenEnded)
  })

  it('is renewed without the password, with a token of the same caller', async () => {
    const { status, headers, body } = await renew(await logIn())
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 1800 })
    const me = await call(environment.url, 'GET', '/api/v1/users/me', { token: body.access_token })
    expect(me.body.username).toBe(admin.username)
  })

  it('ends after its maximum duration, however often it is renewed', async () => {
    const token = await logIn()
    const nearItsEnd = await renew(await loggedInAt(token, 43_200 - 60))
    expect(nearItsEnd.body.expires_in).toBeGreaterThan(0)
    expect(nearItsEnd.body.expires_in).toBeLessThanOrEqual(60)
    const over = await renew(await loggedInAt(token, 43_200))
    expect([over.status, over.body.detail]).toEqual([
      401,
      'The session has reached its maximum duration. Log in again.',
    ])
  })

  it('of a token of version 1.1, which has no session id, ends with this token', async () => {
    const [token, another] = [await logIn(), await logIn()]
    const forgery = new Forgery(token, environment.variables['MANC_TOKEN_KEY'] ?? '')
    const old = await forgery.make({ claims: { sid: undefined, auth_time: undefined } })
    expect(await statusAt(environment.url, old)).toBe(200)
    expect((await end(old)).status).toBe(200)
    expect(await statusAt(environment.url, old)).toBe(401)
    expect(await statusAt(environment.url, another)).toBe(200)
  })

  it('cannot be renewed by an agent, which has its own password', async () => {
    const agent = { ap_id: 'session-agent', password: 'a-password', configuration: {} }
    await environment.request('POST', '/api/v1/agents/', agent)
    const token = await tokenOf(environment.url, 'agent', agent.ap_id, agent.password)
    expect((await renew(token)).status).toBe(403)
    expect((await end(token)).status).toBe(200)
    expect((await end(token)).status).toBe(401)
  })
})
