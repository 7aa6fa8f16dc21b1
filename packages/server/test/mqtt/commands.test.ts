import { connect, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, tokenOf } from '../client.ts'
import { admin, type Replica, sqlAt, startReplica } from '../harness.ts'
import { makeStage, type Stage } from './stage.ts'

let stage: Stage
let server: Replica
let token: string
const clients: MqttClient[] = []
const soon = { timeout: 10_000, interval: 50 }

beforeAll(async () => {
  stage = await makeStage()
  server = await startReplica({
    ...stage.environment,
    MANC_COMMAND_SECONDS: '6',
    MANC_COMMAND_DELIVERY_SECONDS: '2',
    MANC_COMMAND_RESULT_SECONDS: '3',
    MANC_COMMAND_HOLD_SECONDS: '3',
  })
  token = await tokenOf(server.url, 'user', admin.username, admin.password)
}, 120_000)

afterAll(async () => {
  for (const client of clients) client.end(true)
  await server?.stop()
  await stage?.set.down()
})

async function register(apId: string, configuration: unknown = {}): Promise<void> {
  const body = { ap_id: apId, password: 'p', configuration }
  expect((await call(server.url, 'POST', '/api/v1/agents/', { token, body })).status).toBe(200)
}

const send = (apId: string, command: string, as = token) =>
  call(server.url, 'POST', `/api/v1/send_command?agent_id=${apId}&command=${command}`, { token: as })

async function sent(apId: string, command: string, as = token): Promise<string> {
  const { status, body } = await send(apId, command, as)
  expect(status).toBe(200)
  return body.job_number
}

async function state(jobNumber: string, as = token): Promise<string> {
  return (await call(server.url, 'GET', `/api/v1/jobs/${jobNumber}`, { token: as })).body.state
}

/** What the caller is told, in order. */
async function told(jobNumber: string): Promise<string[]> {
  const url = stage.environment['MANC_DATABASE_URL'] ?? ''
  const { rows } = await sqlAt(url, 'select data from mailbox where job_number = $1 order by seq', [
    jobNumber,
  ])
  return rows.map(({ data }) => [JSON.parse(data)].flat()[0].state)
}

interface Got {
  id: string
  command: string
  expires_at: string
}

/** A device that says what it is told to say about commands. */
async function device(
  apId: string,
): Promise<{ got: Got[]; say: (news: object) => void; client: MqttClient }> {
  const client = connect(stage.set.urls.mqtt, {
    clientId: apId,
    username: apId,
    password: 'p',
    clean: true,
    protocolVersion: 4,
    reconnectPeriod: 0,
  })
  clients.push(client)
  const got: Got[] = []
  client.on('message', (_topic, payload) => got.push(JSON.parse(payload.toString())))
  await new Promise((resolve, reject) => client.once('connect', resolve).once('error', reject))
  await client.subscribeAsync(`agent/${apId}/command`, { qos: 1 })
  return {
    got,
    client,
    say: (news) => client.publish(`agent/${apId}/result`, JSON.stringify(news), { qos: 1 }),
  }
}

describe('a command (24)', () => {
  it('reaches an agent over MQTT, and its caller hears of every state', async () => {
    await register('c-mqtt')
    const { got, say } = await device('c-mqtt')
    const job = await sent('c-mqtt', 'reboot')
    await expect
      .poll(() => got, soon)
      .toEqual([{ id: job, command: 'reboot', expires_at: expect.any(String) }])
    await expect.poll(() => state(job), soon).toBe('sent')
    say({ id: job, state: 'delivered' })
    await expect.poll(() => state(job), soon).toBe('delivered')
    say({ id: job, state: 'succeeded', result: { uptime_s: 1 } })
    await expect.poll(() => state(job), soon).toBe('succeeded')
    expect(await told(job)).toEqual(['sent', 'delivered', 'succeeded'])
    say({ id: job, state: 'failed' })
    await sent('c-mqtt', 'next')
    await expect.poll(() => got.length, soon).toBe(2)
    expect(await state(job)).toBe('succeeded')
  }, 30_000)

  it('reaches an agent that speaks HTTP alone with the answer to its next update', async () => {
    await register('c-http')
    const own = await tokenOf(server.url, 'agent', 'c-http', 'p')
    const update = (body: object) =>
      call(server.url, 'POST', '/api/v1/agent_update/update', { token: own, body })
    const job = await sent('c-http', 'set_power')
    const commands = async () => (await update({ payload: { a: 1 } })).body.commands
    await expect
      .poll(commands, soon)
      .toEqual([{ id: job, command: 'set_power', expires_at: expect.any(String) }])
    expect(await state(job)).toBe('sent')
    await update({ results: [{ id: job, status: 'ok', result: 20 }] })
    expect(await state(job)).toBe('succeeded')
    expect(await commands()).toEqual([])
  }, 30_000)

  it('whose result comes before its acknowledgement counts', async () => {
    await register('c-early')
    const { got, say } = await device('c-early')
    const job = await sent('c-early', 'x')
    await expect.poll(() => got.length, soon).toBe(1)
    say({ id: job, state: 'failed', detail: 'no such radio' })
    await expect.poll(() => state(job), soon).toBe('failed')
    say({ id: job, state: 'delivered' })
    expect(await state(job)).toBe('failed')
  }, 30_000)

  it('is not held up by news that no database can store', async () => {
    await register('c-odd')
    const { got, say, client } = await device('c-odd')
    const job = await sent('c-odd', 'x')
    await expect.poll(() => got.length, soon).toBe(1)
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const publish = (topic: string, text: string | Buffer) =>
      client.publishAsync(`agent/c-odd/${topic}`, text, { qos: 1 })
    await publish('status', JSON.stringify({ status: 'online', connected_at: '-200000-01-01T00:00:00Z' }))
    await publish('onboard', `{"configuration":{"deep":${deep}}}`)
    await publish('result', `{"id":"${job}","state":"succeeded","result":${deep}}`)
    await publish('result', Buffer.alloc(400_000, 0xff))
    say({ id: 'a\0b', state: 'succeeded' })
    say({ id: job, state: 'failed', detail: 'a\0b\ud800', result: { 'a\0': '\ud800' } })
    await expect.poll(() => state(job), soon).toBe('failed')
  }, 30_000)

  it('waits for an agent that is away, and is sent when it is back', async () => {
    await register('c-back')
    const job = await sent('c-back', 'x')
    expect(await state(job)).toBe('queued')
    const { got } = await device('c-back')
    await expect.poll(() => got.map(({ id }) => id), soon).toEqual([job])
  }, 30_000)

  it('expires when its agent does not come, times out when it says nothing', async () => {
    await register('c-away')
    await register('c-silent')
    await register('c-busy')
    const { got, say } = await device('c-busy')
    await device('c-silent')
    const [away, silent, busy] = [
      await sent('c-away', 'x'),
      await sent('c-silent', 'x'),
      await sent('c-busy', 'x'),
    ]
    await expect.poll(() => got.length, soon).toBeGreaterThan(0)
    say({ id: busy, state: 'received' })
    await expect.poll(() => state(busy), soon).toBe('timed_out')
    await expect.poll(() => state(away), soon).toBe('expired')
    await expect.poll(() => state(silent), soon).toBe('timed_out')
    expect(await told(away)).toEqual(['expired'])
  }, 40_000)

  it('is refused for nobody, for what the agent does not know, and for plain users', async () => {
    await register('c-list', { commands: ['reboot'] })
    expect((await send('nobody', 'reboot')).status).toBe(404)
    expect((await send('c-list', 'dance')).status).toBe(400)
    expect((await send('c-list', 'rebooting now')).status).toBe(400)
    expect((await send('c-list', 'reboot')).status).toBe(200)
    expect((await send('c-list', 'reboot in 5 minutes')).status).toBe(200)
  })

  it('is not another agent’s to answer', async () => {
    await register('c-mine')
    await register('c-thief')
    const job = await sent('c-mine', 'x')
    const { say, client } = await device('c-thief')
    say({ id: job, state: 'succeeded' })
    await client.publishAsync('agent/c-thief/status', 'online', { qos: 1 })
    await expect
      .poll(
        async () =>
          (await call(server.url, 'GET', '/api/v1/fleet/agents?q=c-thief', { token })).body[0].state,
        soon,
      )
      .toBe('online')
    expect(['queued', 'sent']).toContain(await state(job))
  }, 30_000)
})

describe('two callers in conflict', () => {
  const app = async (name: string, priority: number) => {
    const body = { app_name: name, api_key: 'key', permissions: { priority } }
    await call(server.url, 'POST', '/api/v1/third_party_apps/', { token, body })
    return tokenOf(server.url, 'third_party_app', name, 'key')
  }

  it('are not in conflict where both are people', async () => {
    await register('c-people')
    const body = { username: 'second@ops.test', password: 'a-password', roles: ['operator'] }
    await call(server.url, 'POST', '/api/v1/users/', { token, body })
    const second = await tokenOf(server.url, 'user', 'second@ops.test', 'a-password')
    await sent('c-people', 'a')
    await sent('c-people', 'b', second)
    await sent('c-people', 'c')
  })

  it('that want a free agent at once: one gets it', async () => {
    await register('c-free')
    const rivals = await Promise.all(Array.from({ length: 6 }, (_, n) => app(`rival-${n}`, 0)))
    const answers = await Promise.all(rivals.map((rival) => send('c-free', 'x', rival)))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409])
  })

  it('have to wait for each other, unless one comes first', async () => {
    await register('c-wanted')
    const [low, same, high] = [await app('low', 1), await app('same', 1), await app('high', 2)]
    const first = await sent('c-wanted', 'a', low)
    const refused = await send('c-wanted', 'b', same)
    expect(refused.status).toBe(409)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const again = await sent('c-wanted', 'c', low)
    const taken = await sent('c-wanted', 'd', high)
    expect([await state(first, low), await state(again, low), await state(taken, high)]).toEqual([
      'superseded',
      'superseded',
      'queued',
    ])
    expect((await send('c-wanted', 'e', low)).status).toBe(409)
    await sent('c-wanted', 'f')
    expect(await state(taken, high)).toBe('superseded')
    expect((await send('c-wanted', 'g', high)).status).toBe(409)
    await expect.poll(async () => (await send('c-wanted', 'h', low)).status, soon).toBe(200)
  }, 30_000)
})
