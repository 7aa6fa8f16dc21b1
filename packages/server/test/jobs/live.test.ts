import { agentRoutingKey, envelopeProtocol, exchanges } from '@manc/contract'
import { brokerManagement, call, tokenOf } from '@manc/harness'
import { describe, expect, inject } from 'vitest'
import { test as it, type JobsEnvironment } from './environment.ts'

let environment: JobsEnvironment
const protocols = [envelopeProtocol]
const soon = { timeout: 30_000, interval: 20 }

it.beforeAll(({ environment: own }) => {
  environment = own
})

/** An agent and its way of sending. */
async function agent(apId: string) {
  const { url } = environment
  const body = { ap_id: apId, password: 'p', configuration: {} }
  await call(url, 'POST', '/api/v1/agents/', { token: environment.adminToken, body })
  const token = await tokenOf(url, 'agent', apId, 'p')
  const send = (update: object) => call(url, 'POST', '/api/v1/agent_update/update', { token, body: update })
  return { token, send }
}

const subscribe = (...apIds: string[]) =>
  `/api/v1/agent_data/subscribe?${apIds.map((apId) => `agent_id=${apId}`).join('&')}`

/** Agents that the broker copies samples of at this moment. */
async function watched(): Promise<string[]> {
  const vhost = environment.virtualHost
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

describe('a live subscription', () => {
  it('delivers samples as they arrive, on either replica', async () => {
    const [one, two, three] = [await agent('l-1'), await agent('l-2'), await agent('l-3')]
    const number = await environment.requestJob(subscribe('l-1', 'l-2'))
    const client = await environment.connect(number, { protocols, replica: 1 })
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
    const rows = await environment.sql(
      'select count(*)::int as messages from mailbox where job_number = $1',
      [number],
    )
    expect(rows[0].messages).toBe(0)
  })

  it('delivers plain lists to a client without envelopes, and continues after a reconnection', async () => {
    const { send } = await agent('l-raw')
    const number = await environment.requestJob(subscribe('l-raw'))
    for (const value of [1, 2]) {
      const client = await environment.connect(number)
      await expect.poll(watched, soon).toEqual([agentRoutingKey('l-raw', 'data')])
      await send({ payload: { value } })
      await expect
        .poll(() => client.messages, soon)
        .toEqual([[{ agent_id: 'l-raw', time: expect.any(String), values: { value } }]])
      client.socket.close()
      await expect.poll(watched, soon).toEqual([])
    }
    const { body } = await environment.request('GET', `/api/v1/jobs/${number}`)
    expect(body).toMatchObject({ kind: 'agent_live', state: 'open', last_seq: 0 })
  })

  it('shares one broker binding with a subscription of another job', async () => {
    const { send } = await agent('l-both')
    const numbers = [
      await environment.requestJob(subscribe('l-both')),
      await environment.requestJob(subscribe('l-both')),
    ]
    const clients = await Promise.all(numbers.map((number) => environment.connect(number)))
    await expect.poll(watched, soon).toEqual([agentRoutingKey('l-both', 'data')])
    await send({ payload: { v: 1 } })
    for (const client of clients) await expect.poll(() => client.frames.length, soon).toBe(1)
    clients[0]?.socket.close()
    await clients[0]?.closed
    await send({ payload: { v: 2 } })
    await expect.poll(() => clients[1]?.frames.length, soon).toBe(2)
  })

  it('is allowed for the agent itself and for apps that see the agent, and 404 for unknown agents', async () => {
    const { token } = await agent('l-self')
    await agent('l-other')
    const { url } = environment
    const body = { app_name: 'watcher', api_key: 'key', permissions: { agents: ['l-s*'] } }
    await call(url, 'POST', '/api/v1/third_party_apps/', { token: environment.adminToken, body })
    const app = await tokenOf(url, 'third_party_app', 'watcher', 'key')
    const status = async (path: string, as: string) => (await call(url, 'POST', path, { token: as })).status
    expect(await status(subscribe('l-self'), token)).toBe(200)
    expect(await status(subscribe('l-self', 'l-other'), token)).toBe(403)
    expect(await status(subscribe('l-self'), app)).toBe(200)
    expect(await status(subscribe('l-other', 'l-self'), app)).toBe(403)
    expect(await status(subscribe('l-self', 'l-missing'), environment.adminToken)).toBe(404)
  })

  it('delivers to an app only what it may see when it connects', async () => {
    const { send } = await agent('l-lost')
    const { url } = environment
    const at = '/api/v1/third_party_apps/'
    const body = { app_name: 'loser', api_key: 'key', permissions: { agents: ['l-lost'] } }
    await call(url, 'POST', at, { token: environment.adminToken, body })
    const number = await environment.requestJob(
      subscribe('l-lost'),
      await tokenOf(url, 'third_party_app', 'loser', 'key'),
    )
    await call(url, 'PUT', `${at}loser`, {
      token: environment.adminToken,
      body: { permissions: { agents: ['nothing'] } },
    })
    const token = await tokenOf(url, 'third_party_app', 'loser', 'key')
    const client = await environment.connect(number, { token })
    await send({ payload: { secret: 1 } })
    const observer = await environment.connect(await environment.requestJob(subscribe('l-lost')))
    await expect.poll(watched, soon).toContain(agentRoutingKey('l-lost', 'data'))
    await send({ payload: { secret: 2 } })
    await expect.poll(() => observer.frames.length, soon).toBeGreaterThan(0)
    expect(client.frames).toEqual([])
  })
})
