import { connect } from 'node:tls'
import { deflateSync } from 'node:zlib'
import { TestCa } from '@manc/harness/tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Driver } from '../src/drivers/driver.ts'
import { inTime } from './drivers.ts'
import { SilentDevice } from './peers/silent-device.ts'
import type { UcentralPeer } from './peers/ucentral-device.ts'
import * as messages from './peers/ucentral-messages.ts'
import { Certificates, soon, UcentralWorld } from './ucentral-setup.ts'

const one = '903cb3bb1c1a'
const two = '903cb3bb1c2b'

let certificates: Certificates
let strangers: TestCa
let world: UcentralWorld

beforeAll(() => {
  certificates = new Certificates()
  strangers = new TestCa('another CA')
})
afterEach(() => world.close())
afterAll(() => {
  certificates.remove()
  strangers.remove()
})

const open = async (limits: object = {}) => {
  world = await UcentralWorld.open(certificates, limits)
}

/** An access point that is connected, and is not affected by what happens to others. */
async function neighbour(): Promise<{ driver: Driver; peer: UcentralPeer }> {
  const driver = await world.driver(two)
  const peer = await world.connected(two)
  await driver.read(inTime())
  return { driver, peer }
}

async function isUnaffected({ driver, peer }: { driver: Driver; peer: UcentralPeer }): Promise<void> {
  expect((await driver.read(inTime())).readings).toMatchObject({ clients: 0 })
  expect(peer.closed).toBeUndefined()
}

describe('the listener for access points', () => {
  it('refuses a serial number that is not in the settings, and says what to do', async () => {
    await open()
    const other = await neighbour()
    const peer = world.peer(one)
    await expect
      .poll(() => peer.closed, soon)
      .toEqual({ code: 1008, reason: 'its serial number is not in the settings' })
    await world.logged(
      `"serial":"${one}","reason":"its serial number is not in the settings","next":"if it is yours, add an access point with`,
    )
    await isUnaffected(other)
  })

  it('requires TLS and a certificate that the CA has signed for this serial number', async () => {
    await open()
    await world.driver(one)
    const other = await neighbour()
    const plain = world.peer(one, { isPlain: true })
    await expect.poll(() => plain.failure, soon).toBeDefined()
    const without = world.peer(one, { cert: undefined, key: undefined })
    await expect.poll(() => without.closed, soon).toBeDefined()
    const { cert, key } = strangers.issue(one)
    const unsigned = world.peer(one, { cert, key })
    await expect.poll(() => unsigned.closed, soon).toBeDefined()
    const { cert: otherCert, key: otherKey } = certificates.of(two)
    const impostor = world.peer(one, { cert: otherCert, key: otherKey })
    await expect
      .poll(() => impostor.closed?.reason, soon)
      .toBe('its certificate has another name than its serial number')
    const log = world.lines.filter((line) => line.includes('refused')).join('\n')
    expect(log).toContain('TLS failed')
    expect(log).toMatch(/UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT/)
    expect(log).toContain(`if its certificate has the name \\"${two}\\", write \\"certificate_name\\"`)
    expect(log).not.toContain('PRIVATE KEY')
    await isUnaffected(other)
  })

  it('accepts another name of the certificate if the settings have it', async () => {
    await open()
    const { cert, key } = certificates.of(two)
    const driver = await world.driver(one, { certificate_name: two })
    await world.connected(one, { cert, key })
    expect((await driver.read(inTime())).readings).toMatchObject({ clients: 0 })
  })

  it('accepts access points without certificates only if the settings say so', async () => {
    await open()
    await world.listener.apply({ ...certificates.options, ca: undefined })
    const driver = await world.driver(one)
    await world.connected(one, { cert: undefined, key: undefined })
    expect((await driver.read(inTime())).readings).toMatchObject({ clients: 0 })
    expect(world.lines.join('\n')).toContain('"without_certificates":true')
  })

  it('closes connections that do not say who they are in time', async () => {
    await open({ connectMs: 2000 })
    const idle = world.silentPeer(one)
    await expect.poll(() => idle.closed, soon).toBeDefined()
    await world.logged('it has not sent \\"connect\\" in time')
  })

  it.each([
    ['at all', { maxConnecting: 2 }, two, '2 others are connecting'],
    ['of one access point', { maxConnectingOfOne: 2 }, one, '2 other connections of it are connecting'],
  ])('takes only some connections at the same time %s', async (_name, limits, serial, reason) => {
    await open({ connectMs: 120_000, ...limits })
    const other = await neighbour()
    const idle = [world.silentPeer(one), world.silentPeer(one)]
    // An open WebSocket has been counted.
    await expect.poll(() => idle.map(({ socket }) => socket.readyState), soon).toEqual([1, 1])
    const refused = world.silentPeer(serial)
    await expect.poll(() => refused.closed, soon).toBeDefined()
    await world.logged(reason)
    expect(idle.map(({ closed }) => closed)).toEqual([undefined, undefined])
    await isUnaffected(other)
  })

  it('logs connections that are dropped because there are too many', async () => {
    await open({ maxConnections: 1 })
    const other = await neighbour()
    const peer = world.peer(one)
    await expect.poll(() => peer.failure, soon).toBeDefined()
    await world.logged('all 1 connections are in use')
    await isUnaffected(other)
  })

  it('lets others connect while one access point holds all its places', async () => {
    await open({ connectMs: 120_000 })
    const idle = Array.from({ length: 4 }, () => world.silentPeer(one))
    await expect.poll(() => idle.every(({ socket }) => socket.readyState === 1), soon).toBe(true)
    await neighbour()
    expect(idle.every(({ closed }) => closed === undefined)).toBe(true)
  })

  it.each([
    ['is longer than 1 MiB', () => messages.log(one, 'x'.repeat(1_100_000), 7), 1009],
    ['inflates to more than 4 MiB', () => compressed('x'.repeat(40_000_000), 1000), 1008],
    ['claims to inflate to more than 4 MiB', () => compressed('{}', 4_300_000), 1008],
    ['has another serial number', () => messages.ping(two), 1008],
  ])('closes the connection of an access point whose message %s', async (_name, text, code) => {
    await open()
    const other = await neighbour()
    const driver = await world.driver(one)
    const peer = await world.connected(one)
    await driver.read(inTime())
    peer.send(text())
    await expect.poll(() => peer.closed?.code, soon).toBe(code)
    await world.logged('access point disconnected')
    await isUnaffected(other)
    await world.connected(one)
    expect((await driver.read(inTime())).readings).toMatchObject({ clients: 0 })
  })

  it('closes the connection of an access point that sends too many messages', async () => {
    await open()
    const other = await neighbour()
    const driver = await world.driver(one)
    const peer = await world.connected(one)
    await driver.read(inTime())
    for (let n = 0; n < 1000 && peer.closed === undefined; n += 1) peer.send(messages.ping(one))
    await expect.poll(() => peer.closed?.reason, soon).toBe('it sends more than 20 messages a second')
    await isUnaffected(other)
  })

  it('counts pings as messages', async () => {
    await open()
    const other = await neighbour()
    const driver = await world.driver(one)
    const peer = await world.connected(one)
    await driver.read(inTime())
    for (let n = 0; n < 1000 && peer.closed === undefined; n += 1) peer.socket.ping()
    await expect.poll(() => peer.closed?.reason, soon).toBe('it sends more than 20 messages a second')
    await isUnaffected(other)
  })

  it('has one allowance for all connections of an access point', async () => {
    world = await UcentralWorld.open(certificates, {}, { messagesAtOnce: 10, messagesPerSecond: 0 })
    await world.driver(one)
    const peer = await world.connected(one)
    for (let n = 0; n < 8; n += 1) peer.send(messages.ping(one))
    await peer.hasArrived()
    expect(peer.closed).toBeUndefined()
    const again = await world.connected(one)
    for (let n = 0; n < 2; n += 1) again.send(messages.ping(one))
    await expect.poll(() => again.closed?.reason, soon).toBe('it sends more than 0 messages a second')
  })

  it('closes connections that send other messages before connect', async () => {
    await open()
    const other = await neighbour()
    const peer = world.silentPeer(one)
    peer.socket.once('open', () => {
      for (let n = 0; n < 6; n += 1) peer.send(messages.ping(one))
    })
    await expect.poll(() => peer.closed?.reason, soon).toBe('it sends more than 5 messages before "connect"')
    await isUnaffected(other)
  })

  it('uses a new certificate without closing connections; after other changes they connect again', async () => {
    await open()
    const other = await neighbour()
    const { cert, key } = certificates.ca.issue('localhost', 'DNS:localhost,DNS:gateway.example.org')
    await world.listener.apply({ ...certificates.options, cert, key })
    await world.logged('certificate for access points replaced')
    await isUnaffected(other)
    const names = () =>
      new Promise<string>((resolve) => {
        const socket = connect(
          { port: world.listener.port, servername: 'localhost', rejectUnauthorized: false },
          () => {
            resolve(String(socket.getPeerCertificate().subjectaltname))
            socket.destroy()
          },
        )
        socket.on('error', () => {})
      })
    expect(await names()).toContain('gateway.example.org')
    await world.listener.apply({ ...certificates.options, ca: strangers.pem })
    await expect.poll(() => other.peer.closed?.reason, soon).toBe('the gateway changes its settings')
  })

  it('tries again to listen on a port that is in use', async () => {
    await open()
    const occupant = await SilentDevice.start()
    const options = { ...certificates.options, address: '127.0.0.1', port: occupant.port }
    await world.listener.apply(options)
    await world.logged('cannot listen for access points, will retry')
    expect(world.devices.listening).toContain(`cannot listen on 127.0.0.1:${occupant.port}: EADDRINUSE`)
    await occupant.stop()
    await expect.poll(() => world.listener.port, soon).toBe(options.port)
  })

  it('answers other requests than WebSockets with 426', async () => {
    await open()
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(
        { port: world.listener.port, servername: 'localhost', ca: certificates.ca.pem, ...pemOf(one) },
        () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      )
      let answer = ''
      socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk))
      socket.on('end', () => resolve(answer))
      socket.on('error', reject)
    })
    expect(text).toMatch(/^HTTP\/1\.1 426 /)
  })
})

const pemOf = (serial: string) => {
  const { cert, key } = certificates.of(serial)
  return { cert, key }
}

const compressed = (text: string, size: number) =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'state',
    params: { compress_64: deflateSync(text).toString('base64'), compress_sz: size },
  })
