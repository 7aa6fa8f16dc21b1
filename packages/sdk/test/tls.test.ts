import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ConnectionOptions, connect } from 'node:tls'
import { admin, createIsolatedEnvironment, type IsolatedEnvironment, uniqueName } from '@manc/harness'
import { type Certificate, TestCa, TlsProxy } from '@manc/harness/tls'
import { Manc, type TlsOptions, Unreachable } from '@manc/sdk'
import { AgentHttp, AgentMqtt, connectAgent, sampleOf } from '@manc/sdk/agent'
import { tlsAdvice } from '@manc/sdk/tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const soon = { timeout: 60_000, interval: 100 }
const untrusted =
  'The certificate of the server is not signed by a trusted CA. Set the file of that CA: --ca-file'
const otherName = 'The certificate of the server is for another host name.'
const required = 'The server requires a client certificate. Set one that it accepts: --cert-file'
const refused = 'The server does not accept the client certificate.'

let ca: TestCa
let otherCa: TestCa
let client: Certificate
let environment: IsolatedEnvironment
let proxy: TlsProxy
/** Requires a client certificate, like the broker. */
let strictProxy: TlsProxy
let mqttUrl: string

beforeAll(async () => {
  ca = new TestCa()
  otherCa = new TestCa('another CA')
  const server = ca.issue('localhost')
  client = ca.issue('client')
  environment = await createIsolatedEnvironment(
    { MANC_ROLES: 'api,subscriber,ingester' },
    { ca: ca.pem, cert: server.cert, key: server.key, requireClientCertificate: true },
  )
  await environment.serve()
  proxy = await TlsProxy.to(environment.url, server)
  strictProxy = await TlsProxy.to(environment.url, server, ca.pem)
  mqttUrl = `mqtts://localhost:${environment.set.ports.mqtts}`
})

afterAll(async () => {
  await proxy?.close()
  await strictProxy?.close()
  await environment?.drop()
  ca?.remove()
  otherCa?.remove()
})

const trusted = (): TlsOptions => ({ ca: ca.pem })
const withCertificate = ({ cert, key }: Certificate = client): TlsOptions => ({ ca: ca.pem, cert, key })

const application = (url: string, tls?: TlsOptions) =>
  new Manc({ url, credentials: { ...admin }, ...(tls && { tls }) })

/** The message of a request that must fail at once: a retry does not change a certificate. */
async function failureOf(url: string, tls?: TlsOptions): Promise<string> {
  const startedAt = Date.now()
  const error = await application(url, tls)
    .users.me()
    .then(
      () => undefined,
      (reason: unknown) => reason,
    )
  expect(error).toBeInstanceOf(Unreachable)
  expect(Date.now() - startedAt).toBeLessThan(25_000)
  return (error as Error).message
}

async function registered() {
  const apId = uniqueName('tls')
  const body = { ap_id: apId, password: 'tls-password', configuration: {} }
  expect((await environment.request('POST', '/api/v1/agents/', body)).status).toBe(200)
  return { apId, password: 'tls-password' }
}

describe('an application over HTTPS', () => {
  it.each([
    ['with the CA', () => proxy.url, trusted],
    ['with the CA and a client certificate', () => strictProxy.url, withCertificate],
  ])('sends requests and reads a WebSocket, %s', async (_case, url, tls) => {
    const manc = application(url(), tls())
    expect(await manc.users.me()).toMatchObject({ username: admin.username })
    const job = randomUUID()
    await manc.callbacks.agentDetails(job, [{ from: 'tls' }])
    const { value } = await manc.jobs.read(job).next()
    expect(value).toMatchObject({ data: [{ from: 'tls' }] })
  })

  it('is refused by its own check without the CA, with another CA, and for another host name', async () => {
    expect(await failureOf(proxy.url)).toContain(untrusted)
    expect(await failureOf(proxy.url, { ca: otherCa.pem })).toContain(untrusted)
    expect(await failureOf(proxy.url.replace('localhost', '127.0.0.1'), trusted())).toContain(otherName)
  })

  it('is refused by the server without a client certificate, and with one of another CA', async () => {
    // The broker sends an alert, as proxies do; the TLS server of Node.js only closes the connection.
    const strictUrl = `https://localhost:${environment.set.ports.mqtts}`
    expect(await failureOf(strictUrl, trusted())).toContain(required)
    expect(await failureOf(strictUrl, withCertificate(otherCa.issue('stranger')))).toContain(refused)
  })

  it('gets an error that names the options where a certificate is not PEM', async () => {
    expect(await failureOf(proxy.url, { ca: ca.pem, cert: 'nonsense', key: 'nonsense' })).toContain(
      'not valid PEM',
    )
  })
})

/** The protocol and cipher suite on which the broker agrees. */
async function negotiated(options: ConnectionOptions): Promise<string> {
  const { ports } = environment.set
  const socket = connect({ host: 'localhost', port: ports.mqtts, ...withCertificate(), ...options })
  try {
    await once(socket, 'secureConnect')
    return `${socket.getProtocol()} ${socket.getCipher().standardName}`
  } finally {
    socket.destroy()
  }
}

describe('the broker over TLS', () => {
  it.each([
    [{}, /^TLSv1.3 TLS_AES_256_GCM_SHA384$/],
    [{ maxVersion: 'TLSv1.2' }, /^TLSv1.2 TLS_ECDHE_\w+_WITH_AES_256_GCM_SHA384$/],
    [
      { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256' },
      /AES_128_GCM/,
    ],
  ] as const)('agrees on a recommended cipher suite with %j', async (options, expected) => {
    expect(await negotiated(options)).toMatch(expected)
  })

  it.each([
    ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }],
    ['CBC', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384' }],
    ['CBC with SHA-1', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA' }],
    ['no forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'AES256-GCM-SHA384:AES128-GCM-SHA256' }],
  ] as const)('refuses %s', async (_, options) => {
    await expect(negotiated(options)).rejects.toThrow(/alert|handshake|ECONNRESET|disconnected/)
  })
})

describe('an agent over TLS', () => {
  it('logs in and sends over HTTPS with the CA', async () => {
    const agent = new AgentHttp({ url: proxy.url, ...(await registered()), tls: trusted() })
    expect(await agent.send([sampleOf({ lux: 1 })])).toMatchObject({ accepted: 1 })
  })

  it('connects to the broker with a client certificate, and sends', async () => {
    const agent = new AgentMqtt({ url: proxy.url, mqttUrl, ...(await registered()), tls: withCertificate() })
    await agent.start()
    await agent.send(sampleOf({ lux: 1 }))
    expect(agent.connected).toBe(true)
    await agent.stop()
  })

  it.each([
    ['without the CA', () => undefined, untrusted],
    ['with another CA', () => ({ ...withCertificate(), ca: otherCa.pem }), untrusted],
    ['without a client certificate', trusted, required],
    ['with a client certificate of another CA', () => withCertificate(otherCa.issue('other')), refused],
  ])('is not connected to the broker %s, and reports what to do', async (_case, tlsOf, advice) => {
    const errors: unknown[] = []
    const tls = tlsOf()
    // The login does not use TLS here, so that the broker is what refuses.
    const agent = new AgentMqtt({
      url: environment.url,
      mqttUrl,
      ...(await registered()),
      ...(tls && { tls }),
      onTrouble: (error) => errors.push(error),
    })
    void agent.start()
    await expect.poll(() => errors.map(tlsAdvice).join('\n'), soon).toContain(advice)
    expect(agent.connected).toBe(false)
    await agent.stop({ withinMs: 0 })
  })

  it('keeps its samples while the certificate is not trusted, and reports the problem', async () => {
    const agent = await connectAgent({ url: proxy.url, mqttUrl, ...(await registered()) })
    agent.record({ lux: 1 })
    await expect
      .poll(() => agent.problems, soon)
      .toEqual([{ kind: 'unreachable', message: expect.stringContaining(untrusted) }])
    expect(agent.waiting).toBe(1)
    await agent.stop({ withinMs: 0 })
  })
})
