import fc from 'fast-check'
import type { FuzzEnvironment } from './environment.ts'
import type { Findings } from './findings.ts'
import { hostileText } from './hostile-values.ts'
import { unlessBusy, writeBytes } from './http-exchange.ts'
import { passwordMark } from './names.ts'
import { inParallel } from './parallel.ts'

const body = '{"username":"wire@fuzz.test"}'

/** Parts of a request: the usual one first, then those that no HTTP library sends. */
const parts = {
  method: ['POST', 'GET', 'FOO', 'post', '', 'CONNECT', 'TRACE', 'PRI', 'P\0ST'],
  target: [
    '/api/v1/users/password-recovery',
    '*',
    'http://evil.test/api/v1/users/',
    '/api/v1/../../etc/passwd',
    '/api/v1/users/%',
    '/api/v1/users/\u00ff',
    '//api//v1',
    `/${'x'.repeat(20_000)}`,
    '/api/v1/users/ me',
    '',
  ],
  version: ['HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTP', ''],
  framing: [
    `Content-Length: ${body.length}`,
    'Content-Length: 5',
    'Content-Length: 500',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Content-Length: 5\r\nContent-Length: 6',
    `Transfer-Encoding: chunked\r\nContent-Length: ${body.length}`,
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding: gzip',
    'Expect: 100-continue',
    'Expect: nonsense',
  ],
  header: [
    'Content-Type: application/json',
    'Host: a\r\nHost: b',
    'X: a\r\n b',
    ' leading: space',
    'no colon',
    ': no name',
    'Authorization: Bearer \u00ff\u00fe',
    `Cookie: ${'x'.repeat(20_000)}`,
    'Upgrade: websocket\r\nConnection: Upgrade',
    'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    'Origin: null',
  ],
  end: ['\r\n\r\n', '\n\n', '\r\n', '\r\r'],
} as const

const pick = ([usual = '', ...odd]: readonly string[]) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    { weight: 3, arbitrary: fc.constantFrom(...odd) },
    { weight: 1, arbitrary: hostileText },
  )

const request: fc.Arbitrary<Buffer> = fc
  .record({
    method: pick(parts.method),
    target: pick(parts.target),
    version: pick(parts.version),
    framing: pick(parts.framing),
    header: pick(parts.header),
    end: pick(parts.end),
    content: fc.constantFrom(body, '', `5\r\n${body}\r\n0\r\n\r\n`, 'zz\r\n', '-1\r\n\r\n'),
  })
  .map(({ method, target, version, framing, header, end, content }) =>
    Buffer.from(
      `${method} ${target} ${version}\r\nHost: fuzz.test\r\nConnection: close\r\n${framing}\r\n${header}${end}${content}`,
      'latin1',
    ),
  )

/** Bytes that are no HTTP, or hardly. Each is answered with a refusal, or the connection is closed. */
export async function fuzzWire(
  environment: FuzzEnvironment,
  { connections, seed }: { connections: number; seed: number },
  findings: Findings,
) {
  const statuses = new Map<string, number>()
  await inParallel(fc.sample(request, { seed, numRuns: connections }), 8, async (bytes) => {
    const { answer, status: code } = await unlessBusy(async () => {
      const text = (await writeBytes(environment.url, bytes)).toString('latin1')
      return { answer: text, status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]) }
    })
    const status = Number.isNaN(code) ? (answer === '' ? 'closed' : 'no HTTP') : String(code)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const isWrong = status.startsWith('5') || status === 'no HTTP' || answer.includes(passwordMark)
    if (isWrong)
      findings.add({
        problem: `the answer is ${status}`,
        where: 'wire',
        evidence: `${bytes.toString('latin1').slice(0, 500)}\n-> ${answer.slice(0, 500)}`,
      })
  })
  return statuses
}
