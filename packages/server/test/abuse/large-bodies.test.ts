import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { tokenOf } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'

const mib = 1024 * 1024
const it = test.override('variables', { MANC_REFUSED_BODY_BYTES_PER_MINUTE: String(16 * mib) })
const path = () => `/api/v1/callback/agent_data?job_number=${randomUUID()}`

let url: string
let adminToken: string
let userToken: string
it.beforeAll(async ({ environment }) => {
  url = environment.url
  adminToken = environment.adminToken
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

it('at the limit of refused bodies, further large ones are not read: the connection is closed', async ({
  environment,
}) => {
  const user = { username: 'refused@bodies.test', password: 'a-password' }
  await environment.request('POST', '/api/v1/users/', { ...user, roles: ['user'] })
  const token = await tokenOf(url, 'user', user.username, user.password)
  const post = async (bytes: number) => {
    const sent = begin(token, bytes)
    sent.end(' '.repeat(bytes - 1))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    const { statusCode, headers } = response
    return { statusCode, connection: headers.connection }
  }
  const answers = []
  for (let n = 0; n < 18; n++) answers.push(await post(mib))
  expect(answers.slice(0, 16).map(({ statusCode }) => statusCode)).toEqual(Array(16).fill(403))
  expect(answers.at(-1)).toEqual({ statusCode: 429, connection: 'close' })
  // Small requests are still answered.
  expect((await post(1000)).statusCode).toBe(403)
  expect((await environment.request('GET', '/api/v1/users/me')).status).toBe(200)
})
