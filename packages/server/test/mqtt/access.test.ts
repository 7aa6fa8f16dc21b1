import { setTimeout as sleep } from 'node:timers/promises'
import amqp from 'amqplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Jwt } from '../../src/tokens/index.ts'
import { call, logIn, tokenOf } from '../client.ts'
import { admin, type Replica, sqlAt, startReplica } from '../harness.ts'
import { connectDevice, type Device } from './device.ts'
import { startSpy } from './spy.ts'
import { makeStage, questions, type Stage } from './stage.ts'

let stage: Stage
let server: Replica
let spy: Awaited<ReturnType<typeof startSpy>>
let adminToken: string
/** Connected from beginning to end: whatever the others do, it must not notice. */
let bystander: Device

const password = 'a-chosen-password'
const refusal = /Bad username or password|Not authorized|closed before/
const mac = 'AA:BB:CC:00:11:22'

beforeAll(async () => {
  stage = await makeStage()
  server = await startReplica(stage.environment)
  adminToken = await tokenOf(server.url, 'user', admin.username, admin.password)
  for (const apId of ['ap-1', 'ap-2', 'bystander', mac]) await createAgent(apId)
  spy = await startSpy(stage.set.urls.rabbitmq)
  bystander = await connect('bystander')
})

afterAll(async () => {
  await bystander?.leave()
  await spy?.stop()
  await server?.stop()
  await stage?.set.down()
})

beforeEach(async () => {
  expect(bystander.isConnected()).toBe(true)
  await bystander.publish('agent/bystander/data', '{}')
  spy.arrivals.length = 0
})

const api = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, { token: adminToken, body })

async function createAgent(apId: string, secret = password): Promise<string> {
  const { body } = await api('POST', '/api/v1/agents/', {
    ap_id: apId,
    password: secret,
    configuration: {},
  })
  return body.id
}

const connect = (apId: string, secret = password, more = {}) =>
  connectDevice(stage.set.urls.mqtt, apId, secret, more)
const tokenOfAgent = (apId: string) => tokenOf(server.url, 'agent', apId, password)
const heard = () => spy.arrivals.filter(({ routingKey }) => routingKey !== 'agent.bystander.data')
async function arrived(routingKey: string): Promise<void> {
  await expect
    .poll(() => heard().find((arrival) => arrival.routingKey === routingKey), { timeout: 5000 })
    .toBeDefined()
}

describe('an agent connects to the broker', () => {
  it('with its password, and its samples are in a telemetry queue when they are acknowledged', async () => {
    const device = await connect('ap-1')
    await device.publish('agent/ap-1/data', '{"rssi":-60}')
    await arrived('agent.ap-1.data')
    expect(heard()).toEqual([
      {
        queue: expect.stringMatching(/^manc\.telemetry\.\d$/),
        routingKey: 'agent.ap-1.data',
        text: '{"rssi":-60}',
      },
    ])
    await device.leave()
  })

  it('with its access token', async () => {
    const device = await connect('ap-1', await tokenOfAgent('ap-1'))
    await device.publish('agent/ap-1/data', '{}')
    await arrived('agent.ap-1.data')
    await device.leave()
  })

  it('under a MAC address', async () => {
    const device = await connect(mac)
    await device.publish(`agent/${mac}/data`, '{}')
    await arrived(`agent.${mac}.data`)
    await device.subscribe(`agent/${mac}/command`)
    await device.leave()
  })

  it('and says what it is, and by its last will that it is gone', async () => {
    const will = { topic: 'agent/ap-1/status', payload: Buffer.from('offline'), qos: 1, retain: false }
    const device = await connect('ap-1', password, { will })
    await device.publish('agent/ap-1/onboard', '{"name":"roof"}')
    await device.publish('agent/ap-1/status', 'online')
    device.vanish()
    const known = () =>
      sqlAt(
        stage.environment['MANC_DATABASE_URL'] ?? '',
        `select configuration, onboard, attributes->>'status' as status from agents natural join agent_attributes where ap_id = 'ap-1'`,
      )
    await expect
      .poll(async () => (await known()).rows, { timeout: 5000 })
      .toEqual([{ configuration: '{"name":"roof"}', onboard: true, status: 'offline' }])
  })

  it('and gets its commands', async () => {
    const device = await connect('ap-1')
    await device.subscribe('agent/ap-1/command')
    const command = new Promise((resolve) => {
      device.client.once('message', (topic, payload) => resolve(`${topic} ${payload.toString()}`))
    })
    const connection = await amqp.connect(stage.set.urls.rabbitmq)
    const channel = await connection.createChannel()
    channel.publish('amq.topic', 'agent.ap-1.command', Buffer.from('reboot'))
    expect(await command).toBe('agent/ap-1/command reboot')
    await connection.close()
    await device.leave()
  })

  it('and is asked about at every login, and about the rest once', async () => {
    await createAgent('asked')
    const before = await questions(server.internalUrl)
    for (let n = 0; n < 3; n++) {
      const device = await connect('asked')
      await device.publish('agent/asked/data', '{}')
      await device.leave()
    }
    const after = await questions(server.internalUrl)
    const asked = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
    // At the first login the broker asks twice: who it is, and whether that may be remembered.
    expect([
      asked('user allow'),
      asked('vhost allow'),
      asked('resource allow'),
      asked('topic allow'),
    ]).toEqual([4, 1, 1, 1])
  })
})

describe('a login is refused', () => {
  const refused = (apId: string, secret: string, more = {}) =>
    expect(connect(apId, secret, more)).rejects.toThrow(refusal)

  it('with a wrong password, under an unknown id, and under one that cannot exist', async () => {
    await refused('ap-1', 'a-wrong-password')
    await refused('nobody', password)
    for (const apId of ['ap-1.*', '#', '+', 'ap/1', 'ap-1\0', 'é', 'x'.repeat(65), '/:ap-1'])
      await refused(apId, password)
  })

  it("with another agent's token, or one of no agent", async () => {
    await refused('ap-1', await tokenOfAgent('ap-2'))
    await refused('ap-1', adminToken)
    const { body } = await api('POST', '/api/v1/enrolment_tokens', {})
    await refused('ap-1', body.token)
    await refused('ap-1', 'x'.repeat(300))
    await refused('ap-1', '')
  })

  it('with an expired token, and with one that has ended early', async () => {
    const uid = await createAgent('ended')
    const jwt = new Jwt({ key: stage.environment['MANC_TOKEN_KEY'] ?? '', longestLifeS: 3600 })
    const claims = { kind: 'agent', sub: 'ended', uid, ver: 0, scope: '' }
    await (await connect('ended', await jwt.sign(claims, 60))).leave()
    await refused('ended', await jwt.sign(claims, -1))
    const token = await tokenOfAgent('ended')
    await api('PUT', '/api/v1/agents/ended', { password: 'another-password' })
    await refused('ended', token)
    await refused('ended', password)
    await (await connect('ended', 'another-password')).leave()
  })

  it('over AMQP and at the management interface', async () => {
    const url = new URL(stage.set.urls.rabbitmq)
    url.username = 'ap-1'
    url.password = password
    await expect(amqp.connect(url.href)).rejects.toThrow(/ACCESS_REFUSED|403/)
    const { status } = await call(new URL(stage.set.urls.rabbitmqManagement).origin, 'GET', '/api/whoami', {
      headers: { authorization: `Basic ${Buffer.from(`ap-1:${password}`).toString('base64')}` },
    })
    expect(status).toBe(401)
  })

  it("under the controller's own name", async () => {
    await createAgent('manc')
    await refused('manc', password)
    expect((await api('DELETE', '/api/v1/agents/manc')).status).toBe(200)
  })

  it('while its account has to wait, over HTTP and MQTT alike; a token is not a guess', async () => {
    await createAgent('guessed')
    const token = await tokenOfAgent('guessed')
    for (let n = 0; n < 11; n++) await refused('guessed', `wrong-${n}`)
    await refused('guessed', password)
    expect((await logIn(server.url, 'agent', 'guessed', password)).status).toBe(429)
    await (await connect('guessed', token)).leave()
  })
})

describe('an agent is cut off', () => {
  it("with a last will on another's topic, and that is not published", async () => {
    const will = { topic: 'agent/ap-2/status', payload: Buffer.from('offline'), qos: 1, retain: false }
    const device = await connect('ap-1', password, { will })
    device.vanish()
    await device.closed
    const next = await connect('ap-1')
    await next.publish('agent/ap-1/status', 'online')
    await arrived('agent.ap-1.status')
    expect(heard().map(({ routingKey }) => routingKey)).toEqual(['agent.ap-1.status'])
    await next.leave()
  })

  it('within 2 s of its deletion, and cannot return', async () => {
    await createAgent('deleted')
    const token = await tokenOfAgent('deleted')
    const device = await connect('deleted')
    await device.publish('agent/deleted/data', '{}')
    const startedAt = performance.now()
    await api('DELETE', '/api/v1/agents/deleted')
    expect((await device.closed) - startedAt).toBeLessThan(2000)
    await expect(connect('deleted')).rejects.toThrow(refusal)
    await expect(connect('deleted', token)).rejects.toThrow(refusal)
  })

  it('within 2 s of a change of its password, and returns with the new one', async () => {
    await createAgent('changed')
    const token = await tokenOfAgent('changed')
    const device = await connect('changed', token)
    const startedAt = performance.now()
    await api('PUT', '/api/v1/agents/changed', { password: 'the-new-password' })
    expect((await device.closed) - startedAt).toBeLessThan(2000)
    await expect(connect('changed')).rejects.toThrow(refusal)
    await expect(connect('changed', token)).rejects.toThrow(refusal)
    await (await connect('changed', 'the-new-password')).leave()
  })

  it('not by a change of its configuration, nor by a PUT of the same password', async () => {
    const device = await connect('ap-2')
    await api('PUT', '/api/v1/agents/ap-2', { configuration: { mode: 'new' }, password })
    expect(await Promise.race([device.closed, sleep(1500, 'open')])).toBe('open')
    await device.leave()
  })
})

describe('with the database down', () => {
  it('nobody logs in, whoever is connected works on, and all is well at once when it is back', async () => {
    const token = await tokenOfAgent('ap-1')
    await stage.set.kill('postgres')
    await expect(connect('ap-1')).rejects.toThrow(/Bad username or password/)
    await expect(connect('nobody', password)).rejects.toThrow(/Bad username or password/)
    await bystander.publish('agent/bystander/data', '{}')
    await stage.set.start('postgres')
    await expect.poll(async () => (await connect('ap-1', token)).leave(), { timeout: 10_000 }).toBeUndefined()
    await (await connect('ap-1')).leave()
    expect((await questions(server.internalUrl))['user unavailable']).toBeGreaterThanOrEqual(2)
  })
})
