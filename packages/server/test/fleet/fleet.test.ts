import { setTimeout as sleep } from 'node:timers/promises'
import { agentRoutingKey, exchanges, type FleetAgent, type FleetSummary } from '@manc/contract'
import { type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { beforeAll, describe, expect, inject } from 'vitest'

const it = test.override('variables', {
  MANC_ROLES: 'api,subscriber,ingester',
})

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

async function register(apId: string, configuration: unknown): Promise<void> {
  const body = { ap_id: apId, password: 'p', configuration }
  expect((await environment.request('POST', '/api/v1/agents/', body)).status).toBe(200)
}

async function list(query: string, as = environment.adminToken): Promise<FleetAgent[]> {
  const { status, body } = await environment.request('GET', `/api/v1/fleet/agents${query}`, undefined, as)
  expect(status).toBe(200)
  return body
}

const ids = async (query: string, as = environment.adminToken) =>
  (await list(query, as)).map(({ ap_id }) => ap_id)

const summary = async (as = environment.adminToken): Promise<FleetSummary> =>
  (await environment.request('GET', '/api/v1/fleet/summary', undefined, as)).body

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

  it('lists agents with position and state, in the order of their ids', async () => {
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
      health: 'offline',
      health_since: all[1]?.since,
      reason: null,
      reasons: [],
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
  ])('returns the matching agents for %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  it('keeps its filters from page to page', async () => {
    const found: string[] = []
    let next: string | undefined = '/api/v1/fleet/agents?technology=5G&state=offline&limit=1'
    for (let pages = 0; next !== undefined && pages < 10; pages++) {
      const { body, headers } = await environment.request('GET', next)
      found.push(...body.map(({ ap_id }: FleetAgent) => ap_id))
      next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(found).toEqual(['b-5g', 'f-east', 'f-west'])
  })

  it('counts agents by technology and state', async () => {
    const counts = (total: number) => ({
      total,
      online: 0,
      stale: 0,
      offline: total,
      health: { good: 0, degraded: 0, bad: 0, unknown: 0, offline: total },
    })
    expect(await summary()).toEqual({
      ...counts(6),
      technologies: [
        { technology: '5G', ...counts(3) },
        { technology: 'WiFi', ...counts(1) },
        { technology: 'LiFi', ...counts(1) },
        { technology: 'other', ...counts(1) },
      ],
      hidden_emulated: 0,
      as_of: expect.any(String),
    })
  })

  it('is limited to the agents that an app sees', async () => {
    const body = { app_name: 'some', api_key: 'key', permissions: { agents: ['b-*i', 'f_*', 'nowhere'] } }
    await environment.request('POST', '/api/v1/third_party_apps/', body)
    const app = await tokenOf(environment.url, 'third_party_app', 'some', 'key')
    expect(await ids('', app)).toEqual(['b-lifi', 'b-wifi', 'nowhere'])
    expect(await summary(app)).toMatchObject({ total: 3, offline: 3 })
  })

  it('reflects a changed configuration and a deletion', async () => {
    const apId = uniqueName('moves')
    await register(apId, { technology: '5G' })
    const change = { configuration: { technology: 'wifi', geolocation: { lat: 1, lon: 2 } } }
    await environment.request('PUT', `/api/v1/agents/${apId}`, change)
    expect(await list(`?q=${apId}`)).toMatchObject([
      { technology: 'WiFi', position: { latitude: 1, longitude: 2 } },
    ])
    await environment.request('DELETE', `/api/v1/agents/${apId}`)
    expect(await ids(`?q=${apId}`)).toEqual([])
  })
})

describe('an agent', () => {
  const state = async (apId: string) => (await list(`?q=${apId}`))[0]?.state
  const soon = { timeout: 40_000, interval: 50 }

  /** A new agent, and how it sends. */
  async function sender(name: string, telemetry_interval_s: number) {
    const apId = uniqueName(name)
    await register(apId, { telemetry_interval_s })
    const own = await tokenOf(environment.url, 'agent', apId, 'p')
    const update = () =>
      environment.request('POST', '/api/v1/agent_update/update', { payload: { a: 1 } }, own)
    // 503 while the broker is busy, which an agent repeats.
    const send = async () => {
      await expect.poll(async () => (await update()).status, soon).toBe(200)
    }
    return { apId, send }
  }

  it('is online with its first sample, stale when two are missing and offline when three are', async () => {
    // Longer than a run of the monitor, also if that is delayed: no state is skipped.
    const { apId, send } = await sender('comes', 3)
    await send()
    await expect.poll(() => state(apId), soon).toBe('online')
    expect((await list(`?q=${apId}`))[0]).toMatchObject({ last_seen: null })
    const sentAt = Date.now()
    await send()
    await expect.poll(() => state(apId), soon).toBe('stale')
    expect(Date.now() - sentAt).toBeGreaterThan(5000)
    await expect.poll(() => state(apId), soon).toBe('offline')
    const offlineAfterMs = Date.now() - sentAt
    expect(offlineAfterMs).toBeGreaterThan(8000)
    expect(offlineAfterMs).toBeLessThan(25_000)
    const [{ last_seen } = { last_seen: null }] = await list(`?q=${apId}`)
    expect(Math.abs(Date.parse(last_seen ?? '') - sentAt)).toBeLessThan(8000)
    await send()
    await expect.poll(() => state(apId), soon).toBe('online')
  }, 120_000)

  it('is tracked by the interval in its current configuration', async () => {
    const { apId, send } = await sender('hurries', 60)
    await send()
    await expect.poll(() => state(apId), soon).toBe('online')
    const body = { configuration: { telemetry_interval_s: 0.5 } }
    await environment.request('PUT', `/api/v1/agents/${apId}`, body)
    await expect.poll(() => state(apId), soon).toBe('offline')
  }, 90_000)

  it('does not become online when an administrator sends samples for it', async () => {
    const absent = uniqueName('absent')
    await register(absent, {})
    const body = { ap_id: absent, payload: { a: 1 } }
    expect((await environment.request('POST', '/api/v1/agent_update/update', body)).status).toBe(200)
    const { apId: present, send } = await sender('present', 10)
    await send()
    await expect.poll(() => state(present), soon).toBe('online')
    expect(await state(absent)).toBe('offline')
    const details = await environment.request('GET', '/api/v1/metrics/agent_details')
    const onboard = (apId: string) =>
      details.body.find((each: { ap_id: string }) => each.ap_id === apId)?.onboard
    expect([onboard(absent), onboard(present)]).toEqual([false, true])
  })

  describe('an agent that publishes its status', () => {
    const older = '2026-01-01T00:00:00Z'
    const newer = '2026-01-01T00:01:00Z'
    const says = (status: string, connected_at?: string) => JSON.stringify({ status, connected_at })

    it('is offline immediately, and late wills of older connections are ignored', async () => {
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
    }, 120_000)

    it('is stale if its message names no connection, until its next sample', async () => {
      const { apId, send } = await sender('mumbles', 6)
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
      // Without the message it would be three intervals after the last sample.
      expect(Date.now() - leftAt).toBeLessThan(17_000)
    }, 120_000)
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
