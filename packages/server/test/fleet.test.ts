import { setTimeout as sleep } from 'node:timers/promises'
import { agentRoutingKey, exchanges, type FleetAgent, type FleetSummary } from '@manc/contract'
import {
  admin,
  call,
  createEnvironment,
  type Replica,
  startReplica,
  type TestEnvironment,
  tokenOf,
  uniqueName,
} from '@manc/harness'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

let environment: TestEnvironment
let server: Replica
let token: string

beforeAll(async () => {
  environment = await createEnvironment(inject('engines'))
  server = await startReplica({ ...environment.variables, MANC_ROLES: 'api,subscriber,ingester' })
  token = await tokenOf(server.url, 'user', admin.username, admin.password)
})

afterAll(async () => {
  await server?.stop()
  await environment?.drop()
})

async function register(apId: string, configuration: unknown): Promise<void> {
  const body = { ap_id: apId, password: 'p', configuration }
  expect((await call(server.url, 'POST', '/api/v1/agents/', { token, body })).status).toBe(200)
}

async function list(query: string, as = token): Promise<FleetAgent[]> {
  const { status, body } = await call(server.url, 'GET', `/api/v1/fleet/agents${query}`, { token: as })
  expect(status).toBe(200)
  return body
}

const ids = async (query: string, as = token) => (await list(query, as)).map(({ ap_id }) => ap_id)

const summary = async (as = token): Promise<FleetSummary> =>
  (await call(server.url, 'GET', '/api/v1/fleet/summary', { token: as })).body

describe('the fleet', () => {
  beforeAll(async () => {
    const at = (latitude: number | string, longitude: number | string) => ({
      geolocation: { latitude, longitude },
    })
    await register('b-wifi', { technology: 'WiFi', name: 'Hall 100%', ...at(51.45, -2.59) })
    await register('b-lifi', {
      technology: 'LiFi',
      name: 'Hall_2',
      ...at('51.46', '-2.58'),
      telemetry_interval_s: 5,
    })
    await register('b-5g', { technology: '5G', ...at(51.47, -2.57) })
    await register('f-west', { technology: '5G', geolocation: { lat: -17, lng: -179.5 } })
    await register('f-east', { technology: '5G', geolocation: { lat: -17, lon: 179.5 } })
    await register('nowhere', {})
  })

  it('lists agents with place and state, in the order of their ids', async () => {
    const all = await list('')
    expect(all.map(({ ap_id }) => ap_id)).toEqual(['b-5g', 'b-lifi', 'b-wifi', 'f-east', 'f-west', 'nowhere'])
    expect(all[1]).toEqual({
      ap_id: 'b-lifi',
      name: 'Hall_2',
      technology: 'LiFi',
      state: 'offline',
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      last_seen: null,
      position: { latitude: 51.46, longitude: -2.58 },
      telemetry_interval_s: 5,
    })
    expect(all[5]).toMatchObject({
      name: null,
      technology: 'other',
      position: null,
      telemetry_interval_s: 10,
    })
  })

  it.each([
    ['?bbox=-2.6,51.44,-2.575,51.465', ['b-lifi', 'b-wifi']],
    ['?bbox=-2.59,51.45,-2.59,51.45', ['b-wifi']],
    ['?bbox=179,-20,-179,0', ['f-east', 'f-west']],
    ['?bbox=-180,-90,180,90', ['b-5g', 'b-lifi', 'b-wifi', 'f-east', 'f-west']],
    ['?technology=LiFi', ['b-lifi']],
    ['?technology=LiFi&technology=WiFi', ['b-lifi', 'b-wifi']],
    ['?technology=other', ['nowhere']],
    ['?state=online', []],
    ['?state=offline&technology=5G&bbox=-3,51,-2,52', ['b-5g']],
    ['?q=HALL', ['b-lifi', 'b-wifi']],
    ['?q=100%25', ['b-wifi']],
    ['?q=L_2', ['b-lifi']],
    ['?q=_', ['b-lifi']],
    ['?q=%25', ['b-wifi']],
    ['?q=%5C', []],
    ['?q=F-', ['f-east', 'f-west']],
    ['?q=', ['b-5g', 'b-lifi', 'b-wifi', 'f-east', 'f-west', 'nowhere']],
    ["?q=' or 1=1 --", []],
    ['?after=b-wifi&limit=2', ['f-east', 'f-west']],
  ])('answers %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  it('leads from page to page with the same filters', async () => {
    const found: string[] = []
    let next: string | undefined = '/api/v1/fleet/agents?technology=5G&state=offline&limit=1'
    for (let pages = 0; next !== undefined && pages < 10; pages++) {
      const { body, headers } = await call(server.url, 'GET', next, { token })
      found.push(...body.map(({ ap_id }: FleetAgent) => ap_id))
      next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(found).toEqual(['b-5g', 'f-east', 'f-west'])
  })

  it('counts by technology and state', async () => {
    const counts = (total: number) => ({ total, online: 0, stale: 0, offline: total })
    expect(await summary()).toEqual({
      ...counts(6),
      technologies: [
        { technology: '5G', ...counts(3) },
        { technology: 'WiFi', ...counts(1) },
        { technology: 'LiFi', ...counts(1) },
        { technology: 'other', ...counts(1) },
      ],
      as_of: expect.any(String),
    })
  })

  it('is to an app the agents that it sees', async () => {
    const body = { app_name: 'some', api_key: 'key', permissions: { agents: ['b-*i', 'f_*', 'nowhere'] } }
    await call(server.url, 'POST', '/api/v1/third_party_apps/', { token, body })
    const app = await tokenOf(server.url, 'third_party_app', 'some', 'key')
    expect(await ids('', app)).toEqual(['b-lifi', 'b-wifi', 'nowhere'])
    expect(await summary(app)).toMatchObject({ total: 3, offline: 3 })
  })

  it('follows a changed configuration and a deletion', async () => {
    const apId = uniqueName('moves')
    await register(apId, { technology: '5G' })
    const change = { configuration: { technology: 'wifi', geolocation: { lat: 1, lon: 2 } } }
    await call(server.url, 'PUT', `/api/v1/agents/${apId}`, { token, body: change })
    expect(await list(`?q=${apId}`)).toMatchObject([
      { technology: 'WiFi', position: { latitude: 1, longitude: 2 } },
    ])
    await call(server.url, 'DELETE', `/api/v1/agents/${apId}`, { token })
    expect(await ids(`?q=${apId}`)).toEqual([])
  })
})

describe('an agent', () => {
  const state = async (apId: string) => (await list(`?q=${apId}`))[0]?.state
  const soon = { timeout: 15_000, interval: 50 }

  /** A new agent, and how it sends. */
  async function sender(name: string, telemetry_interval_s: number) {
    const apId = uniqueName(name)
    await register(apId, { telemetry_interval_s })
    const own = await tokenOf(server.url, 'agent', apId, 'p')
    const send = () =>
      call(server.url, 'POST', '/api/v1/agent_update/update', { token: own, body: { payload: { a: 1 } } })
    return { apId, send }
  }

  it('is online with its first sample, stale when two are missing and offline when three are', async () => {
    const { apId, send } = await sender('comes', 2)
    await send()
    await expect.poll(() => state(apId), soon).toBe('online')
    expect((await list(`?q=${apId}`))[0]).toMatchObject({ last_seen: null })
    const sentAt = Date.now()
    await send()
    await expect.poll(() => state(apId), soon).toBe('stale')
    expect(Date.now() - sentAt).toBeGreaterThan(3000)
    await expect.poll(() => state(apId), soon).toBe('offline')
    const offlineAfterMs = Date.now() - sentAt
    expect(offlineAfterMs).toBeGreaterThan(5000)
    expect(offlineAfterMs).toBeLessThan(10_000)
    const [{ last_seen } = { last_seen: null }] = await list(`?q=${apId}`)
    expect(Math.abs(Date.parse(last_seen ?? '') - sentAt)).toBeLessThan(2500)
    await send()
    await expect.poll(() => state(apId), soon).toBe('online')
  }, 60_000)

  it('is judged by the interval that its configuration has by now', async () => {
    const { apId, send } = await sender('hurries', 60)
    await send()
    await expect.poll(() => state(apId), soon).toBe('online')
    const body = { configuration: { telemetry_interval_s: 0.5 } }
    await call(server.url, 'PUT', `/api/v1/agents/${apId}`, { token, body })
    await expect.poll(() => state(apId), soon).toBe('offline')
  }, 45_000)

  it('is not there because somebody else sends in its name', async () => {
    const absent = uniqueName('absent')
    await register(absent, {})
    const body = { ap_id: absent, payload: { a: 1 } }
    expect((await call(server.url, 'POST', '/api/v1/agent_update/update', { token, body })).status).toBe(200)
    const { apId: present, send } = await sender('present', 10)
    await send()
    await expect.poll(() => state(present), soon).toBe('online')
    expect(await state(absent)).toBe('offline')
    const details = await call(server.url, 'GET', '/api/v1/metrics/agent_details', { token })
    const onboard = (apId: string) =>
      details.body.find((each: { ap_id: string }) => each.ap_id === apId)?.onboard
    expect([onboard(absent), onboard(present)]).toEqual([false, true])
  }, 30_000)

  describe('that says it', () => {
    const older = '2026-01-01T00:00:00Z'
    const newer = '2026-01-01T00:01:00Z'
    const says = (status: string, connected_at?: string) => JSON.stringify({ status, connected_at })

    it('is leaving: it is offline at once, and late wills of older connections change nothing', async () => {
      const { apId, send } = await sender('talks', 60)
      await send()
      await publishStatus(apId, says('online', newer))
      await expect.poll(() => state(apId), soon).toBe('online')
      await publishStatus(apId, says('offline', older))
      await publishStatus(apId, says('online', newer))
      // Once a mark that came after it has been taken, so has the late will.
      const mark = uniqueName('mark')
      await register(mark, {})
      await publishStatus(mark, says('online', newer))
      await expect.poll(() => state(mark), soon).toBe('online')
      expect(await state(apId)).toBe('online')
      await publishStatus(apId, says('offline', newer))
      await expect.poll(() => state(apId), soon).toBe('offline')
    }, 60_000)

    it('is leaving, without naming a connection: the next sample decides', async () => {
      const { apId, send } = await sender('mumbles', 3)
      await send()
      await expect.poll(() => state(apId), soon).toBe('online')
      await publishStatus(apId, 'offline')
      await expect.poll(() => state(apId), soon).toBe('stale')
      // The newer connection goes on sending.
      await send()
      await sleep(3000)
      await send()
      await expect.poll(() => state(apId), soon).toBe('online')
      await publishStatus(apId, 'offline')
      const leftAt = Date.now()
      await expect.poll(() => state(apId), soon).toBe('offline')
      expect(Date.now() - leftAt).toBeLessThan(8000)
    }, 60_000)
  })

  /** As the broker publishes it for the agent, by the one who may publish anything. */
  async function publishStatus(apId: string, payload: string): Promise<void> {
    const url = new URL(inject('engines').rabbitmqManagement)
    const vhost = environment.virtualHost
    const authorization = `Basic ${Buffer.from(`${url.username}:${url.password}`).toString('base64')}`
    const answer = await fetch(`${url.origin}/api/exchanges/${vhost}/${exchanges.agents}/publish`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        routing_key: agentRoutingKey(apId, 'status'),
        payload,
        payload_encoding: 'string',
        properties: { delivery_mode: 2 },
      }),
    })
    expect(await answer.json()).toEqual({ routed: true })
  }
})
