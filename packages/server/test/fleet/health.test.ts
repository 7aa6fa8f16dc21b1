import type { FleetAgent, FleetChanges, FleetSummary } from '@manc/contract'
import { type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { beforeAll, describe, expect } from 'vitest'

const it = test.override('variables', { MANC_ROLES: 'api,subscriber,ingester' })

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const soon = { timeout: 60_000, interval: 100 }

async function register(apId: string, configuration: unknown): Promise<string> {
  const body = { ap_id: apId, password: 'p', configuration }
  expect((await environment.request('POST', '/api/v1/agents/', body)).status).toBe(200)
  return apId
}

const get = async (path: string) => {
  const { status, body } = await environment.request('GET', `/api/v1/fleet/${path}`)
  expect(status).toBe(200)
  return body
}

const agentOf = async (apId: string): Promise<FleetAgent> => (await get(`agents?q=${apId}`))[0]
const healthOf = async (apId: string) => (await agentOf(apId)).health

/** A new agent, and how it sends: one request with a sample for each of these seconds before its start. */
async function sender(technology: string) {
  const apId = await register(uniqueName('health'), { technology, telemetry_interval_s: 600 })
  const own = await tokenOf(environment.url, 'agent', apId, 'p')
  const startedAt = Date.now()
  const send = async (payload: object, ...secondsAgo: number[]) => {
    const samples = secondsAgo.map((s) => ({ payload, ts: new Date(startedAt - s * 1000).toISOString() }))
    for (const sample of samples) {
      const { status } = await environment.request('POST', '/api/v1/agent_update/update', sample, own)
      expect(status).toBe(200)
    }
  }
  return { apId, send }
}

describe('the health of an access point', () => {
  it('is unknown before its first KPI, then good, bad with a reason, and good again', async () => {
    const { apId, send } = await sender('WiFi')
    expect(await healthOf(apId)).toBe('offline')
    await send({ uptime_s: 1 }, 500)
    await expect.poll(() => healthOf(apId), soon).toBe('unknown')
    await send({ load_pct: 20, packet_loss_pct: 0 }, 490)
    await expect.poll(() => healthOf(apId), soon).toBe('good')
    const { next }: FleetChanges = await get('changes')
    await send({ load_pct: 98, packet_loss_pct: 0 }, 480, 470, 460, 450)
    await expect.poll(() => healthOf(apId), soon).toBe('bad')
    const agent = await agentOf(apId)
    expect(agent).toMatchObject({
      state: 'online',
      reason: expect.stringMatching(/^load 98 % for \d+ min$/),
      reasons: [{ kpi: 'load_pct', level: 'bad', value: 98 }],
    })
    expect(Date.parse(agent.health_since)).toBeGreaterThan(Date.parse(agent.since))
    const changes: FleetChanges = await get(`changes?after=${next}`)
    expect(changes.agents.find(({ ap_id }) => ap_id === apId)).toMatchObject({ health: 'bad' })
    // Late: older than the newest sample.
    await send({ load_pct: 10, packet_loss_pct: 0 }, 500, 490, 480, 470, 460)
    await send({ load_pct: 98, packet_loss_pct: 3 }, 440, 430, 420, 410)
    await expect.poll(async () => (await agentOf(apId)).reasons.length, soon).toBe(2)
    expect((await agentOf(apId)).reasons[0]).toEqual(agent.reasons[0])
    await send({ load_pct: 10, packet_loss_pct: 0 }, 400, 390, 380)
    await send({ load_pct: 10, packet_loss_pct: 0 }, 370)
    await expect.poll(() => healthOf(apId), soon).toBe('good')
    expect(await agentOf(apId)).toMatchObject({ reason: null, reasons: [] })
    // One for each change; the first good sample is none.
    const { body: events } = await environment.request('GET', `/api/v1/events?ap_id=${apId}&kind=health`)
    expect(events.map(({ text }: { text: string }) => text)).toEqual([
      `The health of ${apId} changed from bad to good.`,
      `The health of ${apId} changed from good to bad: load 98 %.`,
    ])
  }, 120_000)

  it('is derived from metric names of standards', async () => {
    const { apId, send } = await sender('5G')
    await send({ 'RRU.PrbTotDl': 20, DRB: { AirIfDelayDl: 50 } }, 100)
    await expect.poll(() => healthOf(apId), soon).toBe('good')
    await send({ 'RRU.PrbTotDl': 20, DRB: { AirIfDelayDl: 700 } }, 90, 80, 70, 60)
    await expect.poll(() => healthOf(apId), soon).toBe('degraded')
    expect((await agentOf(apId)).reasons).toMatchObject([{ kpi: 'latency_ms', value: 70 }])
    const names = await environment.request('GET', `/api/v1/metrics/agent_metrics?agent=${apId}`)
    expect(names.status).toBe(200)
  }, 120_000)
})

describe('the list by health', () => {
  const prefix = uniqueName('order')
  const of = (name: string) => `${prefix}-${name}`

  beforeAll(async () => {
    const healths = { a: 'good', b: 'bad', c: 'unknown', d: 'degraded', e: 'bad', f: 'bad' }
    for (const [name, health] of Object.entries(healths)) {
      await register(of(name), { technology: 'LiFi' })
      const state = name === 'f' ? 'offline' : 'stale'
      // A monitor of its own: the server's adopts agents that have none, and would report their silence.
      await environment.sql(
        `update fleet set state = $2, kpi_health = $3, keeper = gen_random_uuid() where ap_id = $1`,
        [of(name), state, health],
      )
    }
  })

  const ids = async (query: string) =>
    ((await get(`agents?q=${prefix}&${query}`)) as FleetAgent[]).map(({ ap_id }) =>
      ap_id.slice(prefix.length + 1),
    )

  it('has the worst first, and access points of the same health by id', async () => {
    expect(await ids('sort=health')).toEqual(['b', 'e', 'd', 'f', 'c', 'a'])
    expect(await ids('sort=id')).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('is filtered by health', async () => {
    expect(await ids('health=bad')).toEqual(['b', 'e'])
    expect(await ids('health=offline&health=degraded')).toEqual(['d', 'f'])
    expect(await ids('health=good&health=bad&sort=health')).toEqual(['b', 'e', 'a'])
  })

  it('keeps its order and filters from page to page', async () => {
    const found: string[] = []
    let next: string | undefined = `/api/v1/fleet/agents?q=${prefix}&sort=health&limit=2&technology=LiFi`
    for (let pages = 0; next !== undefined && pages < 10; pages++) {
      const { body, headers } = await environment.request('GET', next)
      found.push(...body.map(({ ap_id }: FleetAgent) => ap_id.slice(prefix.length + 1)))
      next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(found).toEqual(['b', 'e', 'd', 'f', 'c', 'a'])
  })

  it('refuses a position that is none', async () => {
    const { status, body } = await environment.request('GET', '/api/v1/fleet/agents?sort=health&after=b-wifi')
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'after']])
  })

  it('is counted by health, in total and by technology', async () => {
    const { health, technologies }: FleetSummary = await get('summary')
    const lifi = technologies.find(({ technology }) => technology === 'LiFi')
    expect(lifi?.health).toEqual({ good: 1, degraded: 1, bad: 2, unknown: 1, offline: 1 })
    expect(health.bad).toBeGreaterThanOrEqual(2)
  })
})
