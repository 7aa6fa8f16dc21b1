import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { call, tokenOf } from '@manc/harness'
import { test as base } from '@manc/harness/fixture'
import { expect } from 'vitest'

const maxLarge = 2
const it = base.override('variables', { MANC_LARGE_BODIES: String(maxLarge) })
const mib = 1024 * 1024
const path = () => `/api/v1/callback/agent_data?job_number=${randomUUID()}`

let url: string
let adminToken: string
let appToken: string
let userToken: string
it.beforeAll(async ({ environment }) => {
  url = environment.url
  adminToken = environment.adminToken
  const app = { app_name: 'poster', api_key: 'k', permissions: { scopes: ['callbacks:post'] } }
  await environment.request('POST', '/api/v1/third_party_apps/', app)
  appToken = await tokenOf(url, 'third_party_app', 'poster', 'k')
  const user = { username: 'user@bodies.test', password: 'a-password' }
  await environment.request('POST', '/api/v1/users/', { ...user, roles: ['user'] })
  userToken = await tokenOf(url, 'user', user.username, user.password)
})

/** Sends the headers, and of the body only its beginning. */
function begin(token: string, bytes: number | undefined): ClientRequest {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(bytes !== undefined && { 'content-length': bytes }),
  }
  const begun = request(url + path(), { method: 'POST', headers })
  begun.on('error', () => {})
  begun.write('[')
  return begun
}

async function statusOf(sent: ClientRequest): Promise<number | undefined> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

it('a caller who may not post callbacks cannot make the server read a body of 16 MiB', async () => {
  const sent = begin(userToken, 16 * mib)
  expect(await statusOf(sent)).toBe(403)
  sent.destroy()
})

it('an administrator has the ordinary limit for callbacks, whether or not the length is declared', async () => {
  const declared = begin(adminToken, 2 * mib)
  expect(await statusOf(declared)).toBe(413)
  declared.destroy()
  const chunked = begin(adminToken, undefined)
  const status = statusOf(chunked)
  chunked.write(' '.repeat(2 * mib))
  expect(await status).toBe(413)
  chunked.destroy()
})

it('an app that posts many large bodies at once gets 429 for all but a few', async () => {
  const begun = Array.from({ length: maxLarge }, () => begin(appToken, 12 * mib))
  // Retried until both have arrived.
  const third = () => call(url, 'POST', path(), { token: appToken, body: `["${'x'.repeat(2 * mib)}"]` })
  await expect.poll(async () => (await third()).status, { timeout: 40_000 }).toBe(429)
  const refused = await third()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(refused.body.detail).toContain('Send this one again')
  // A body of ordinary size passes.
  expect((await call(url, 'POST', path(), { token: appToken, body: [1] })).status).toBe(200)
  for (const each of begun) each.destroy()
  await expect.poll(async () => (await third()).status, { timeout: 40_000 }).toBe(200)
}, 120_000)
