import { agentRoutingKey, envelopeProtocol, exchanges } from '@manc/contract'
import { brokerManagement, call, tokenOf } from '@manc/harness'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { JobScene } from './scene.ts'

let scene: JobScene
const protocols = [envelopeProtocol]
const soon = { timeout: 10_000, interval: 20 }

beforeAll(async () => {
  scene = await JobScene.open()
})
afterAll(() => scene?.close())

/** An agent and its way of sending. */
async function agent(apId: string) {
  const { url } = scene.replicas[0]
  const body = { ap_id: apId, password: 'p', configuration: {} }
  await call(url, 'POST', '/api/v1/agents/', { token: scene.adminToken, body })
  const token = await tokenOf(url, 'agent', apId, 'p')
  const send = (update: object) => call(url, 'POST', '/api/v1/agent_update/update', { token, body: update })
  return { token, send }
}

const subscribe = (...apIds: string[]) =>
  `/api/v1/agent_data/subscribe?${apIds.map((apId) => `agent_id=${apId}`).join('&')}`

/** Agents that the broker copies samples of at this moment. */
async function watched(): Promise<string[]> {
  const vhost = scene.environment.virtualHost
  const bindings = (await brokerManagement(
    inject('engines'),
    'GET',
    `/api/exchanges/${vhost}/${exchanges.agents}/bindings/source`,
  )) as { routing_key: string; destination: string }[]
  return bindings
    .filter(({ destination }) => destination.startsWith('amq.gen'))
    .map(({ routing_key }) => routing_key)
    .sort()
}

describe('watching agents live', () => {
  it('brings samples as they arrive, on whichever replica the socket is', async () => {
    const [one, two, three] = [await agent('l-1'), await agent('l-2'), await agent('l-3')]
    const number = await scene.request(subscribe('l-1', 'l-2'))
    const client = await scene.connect(number, { protocols, replica: 1 })
    await expect.poll(watched, soon).toEqual([agentRoutingKey('l-1', 'data'), agentRoutingKey('l-2', 'data')])
    await one.send({ ts: '2026-11-15T00:00:00.000Z', payload: { a: 1, radio: { b: 2.5 }, mode: 'x' } })
    await three.send({ payload: { a: 9 } })
    await two.send({
      samples: [
        { ts: '2026-11-15T00:00:01Z', payload: { c: 1 } },
        { ts: '2026-11-15T00:00:02Z', payload: { c: 2 } },
      ],
    })
    await expect.poll(() => client.messages.flatMap(({ data }) => data).length, soon).toBe(3)
    expect(client.messages.flatMap(({ data }) => data)).toEqual([
      { agent_id: 'l-1', time: '2026-11-15T00:00:00.000Z', values: { a: 1, radio_b: 2.5, mode: 'x' } },
      { agent_id: 'l-2', time: '2026-11-15T00:00:01.000Z', values: { c: 1 } },
      { agent_id: 'l-2', time: '2026-11-15T00:00:02.000Z', values: { c: 2 } },
    ])
    expect(client.messages[0]).toMatchObject({
      type: 'live',
      job_number: number,
      seq: 0,
      final: false,
      skipped: 0,
    })
    client.socket.close()
    await expect.poll(watched, soon).toEqual([])
    const rows = await scene.environment.sql(
      'select count(*)::int as letters from mailbox where job_number = $1',
      [number],
    )
    expect(rows[0].letters).toBe(0)
  })

  it('is raw lists for a client without envelopes, and goes on after a reconnection', async () => {
    const { send } = await agent('l-raw')
    const number = await scene.request(subscribe('l-raw'))
    for (const value of [1, 2]) {
      const client = await scene.connect(number)
      await expect.poll(watched, soon).toEqual([agentRoutingKey('l-raw', 'data')])
      await send({ payload: { value } })
      await expect
        .poll(() => client.messages, soon)
        .toEqual([[{ agent_id: 'l-raw', time: expect.any(String), values: { value } }]])
      client.socket.close()
      await expect.poll(watched, soon).toEqual([])
    }
    const { body } = await call(scene.replicas[0].url, 'GET', `/api/v1/jobs/${number}`, {
      token: scene.adminToken,
    })
    expect(body).toMatchObject({ kind: 'agent_live', state: 'open', last_seq: 0 })
  })

  it('two clients of different jobs share what the broker copies', async () => {
    const { send } = await agent('l-both')
    const numbers = [await scene.request(subscribe('l-both')), await scene.request(subscribe('l-both'))]
    const clients = await Promise.all(numbers.map((number) => scene.connect(number)))
    await expect.poll(watched, soon).toEqual([agentRoutingKey('l-both', 'data')])
    await send({ payload: { v: 1 } })
    for (const client of clients) await expect.poll(() => client.frames.length, soon).toBe(1)
    clients[0]?.socket.close()
    await clients[0]?.closed
    await send({ payload: { v: 2 } })
    await expect.poll(() => clients[1]?.frames.length, soon).toBe(2)
  })

  it('is for those who may read: the agent itself, apps their own agents, nobody the unknown', async () => {
    const { token } = await agent('l-self')
    await agent('l-other')
    const { url } = scene.replicas[0]
    const body = { app_name: 'watcher', api_key: 'key', permissions: { agents: ['l-s*'] } }
    await call(url, 'POST', '/api/v1/third_party_apps/', { token: scene.adminToken, body })
    const app = await tokenOf(url, 'third_party_app', 'watcher', 'key')
    const status = async (path: string, as: string) => (await call(url, 'POST', path, { token: as })).status
    expect(await status(subscribe('l-self'), token)).toBe(200)
    expect(await status(subscribe('l-self', 'l-other'), token)).toBe(403)
    expect(await status(subscribe('l-self'), app)).toBe(200)
    expect(await status(subscribe('l-other', 'l-self'), app)).toBe(403)
    expect(await status(subscribe('l-self', 'l-nobody'), scene.adminToken)).toBe(404)
  })

  it('shows an app no more than it may see when it connects', async () => {
    const { send } = await agent('l-lost')
    const { url } = scene.replicas[0]
    const at = '/api/v1/third_party_apps/'
    const body = { app_name: 'loser', api_key: 'key', permissions: { agents: ['l-lost'] } }
    await call(url, 'POST', at, { token: scene.adminToken, body })
    const number = await scene.request(
      subscribe('l-lost'),
      await tokenOf(url, 'third_party_app', 'loser', 'key'),
    )
    await call(url, 'PUT', `${at}loser`, {
      token: scene.adminToken,
      body: { permissions: { agents: ['nothing'] } },
    })
    const token = await tokenOf(url, 'third_party_app', 'loser', 'key')
    const client = await scene.connect(number, { token })
    await send({ payload: { secret: 1 } })
    const witness = await scene.connect(await scene.request(subscribe('l-lost')))
    await expect.poll(watched, soon).toContain(agentRoutingKey('l-lost', 'data'))
    await send({ payload: { secret: 2 } })
    await expect.poll(() => witness.frames.length, soon).toBeGreaterThan(0)
    expect(client.frames).toEqual([])
  })
})
