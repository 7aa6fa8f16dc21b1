import { once } from 'node:events'
import { connect } from 'node:net'
import { call, type TestEnvironment } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

/** One of each kind: success, stream, 401, 404, 405, 422, health, OpenAPI document, page and file of the documentation. */
const requests = [
  ['GET', '/api/v1/users/me'],
  ['GET', '/api/v1/users/'],
  ['GET', '/api/v1/users/unknown@example.test'],
  ['POST', '/api/v1/users/'],
  ['PATCH', '/api/v1/users/'],
  ['GET', '/api/v1/nothing'],
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['GET', '/openapi.json'],
  ['GET', '/docs/'],
  ['GET', '/docs/static/swagger-ui.css'],
  ['GET', '/docs/static/swagger-initializer.js'],
] as const

describe('every response', () => {
  it.each(requests)(
    'to %s %s has a content type with its charset, and the headers for browsers',
    async (method, path) => {
      for (const token of [undefined, environment.adminToken]) {
        const { headers, status } = await call(
          environment.url,
          method,
          path,
          token === undefined ? {} : { token },
        )
        expect([status, headers.get('content-type')]).toEqual([
          status,
          expect.stringMatching(/; charset=utf-8$/i),
        ])
        expect(Object.fromEntries(headers)).toMatchObject({
          'x-content-type-options': 'nosniff',
          'strict-transport-security': 'max-age=31536000; includeSubDomains',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
        })
        const policy = headers.get('content-security-policy') ?? ''
        for (const directive of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
          expect([path, policy]).toEqual([path, expect.stringContaining(directive)])
        expect(policy).not.toMatch(/object-src|unsafe-eval|https?:/)
        expect([headers.get('set-cookie'), headers.get('server'), headers.get('x-powered-by')]).toEqual([
          null,
          null,
          null,
        ])
      }
    },
  )

  it('of the API is stored in no cache and is not a document with rights in a browser', async () => {
    for (const [method, path] of requests.filter(([, each]) => each.startsWith('/api/')))
      for (const token of ['', environment.adminToken]) {
        const { headers } = await call(environment.url, method, path, { token })
        expect([path, headers.get('cache-control')]).toEqual([path, 'no-store'])
        expect(headers.get('content-security-policy')).toMatch(/(^|;)sandbox(;|$)/)
      }
  })

  it('to malformed HTTP has the headers for browsers as well', async () => {
    const answer = await raw('GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    for (const header of [
      'x-content-type-options: nosniff',
      'strict-transport-security: ',
      "frame-ancestors 'none'",
    ])
      expect(answer.toLowerCase()).toContain(header)
  })
})

describe('a request is rejected with 400', () => {
  it.each([
    ['a length and an encoding', 'content-length: 5\r\ntransfer-encoding: chunked'],
    ['two lengths', 'content-length: 5\r\ncontent-length: 6'],
    ['an encoding that is not the last', 'transfer-encoding: chunked, identity'],
    ['a malformed length', 'content-length: +5'],
  ])('when its body has %s, so that a proxy cannot disagree about its end', async (_, headers) => {
    const answer = await raw(`POST /api/v1/users/signup HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n0\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1)
  })
})

it.each(['TRACE', 'TRACK', 'CONNECT', 'DEBUG', 'PROPFIND'])('the method %s is not served', async (method) => {
  const answer = await raw(
    `${method} /api/v1/users/me HTTP/1.1\r\nhost: x\r\nx-mark: echoed\r\nconnection: close\r\n\r\n`,
  )
  expect(answer).not.toMatch(/^HTTP\/1.1 [123]|echoed/)
})

/** The response to these bytes, until the server closes the connection. */
async function raw(request: string): Promise<string> {
  const { hostname, port } = new URL(environment.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.write(request)
  await once(socket, 'close')
  return text
}
