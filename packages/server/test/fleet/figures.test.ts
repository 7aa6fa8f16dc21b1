import { setTimeout as sleep } from 'node:timers/promises'
import { type FleetFigures, measurementOf, type Technology } from '@manc/contract'
import { call, startReplica, uniqueName } from '@manc/harness'
import { StoreProxy } from '@manc/harness/metrics-store'
import { describe, expect, inject, vi } from 'vitest'
import { test as it, type MetricsEnvironment } from '../telemetry/environment.ts'

let environment: MetricsEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const ask = (token = environment.adminToken, url = environment.url) =>
  call(url, 'GET', '/api/v1/fleet/figures', { token })

async function figures(token?: string, url?: string): Promise<FleetFigures> {
  const { status, body } = await ask(token, url)
  expect(status).toBe(200)
  return body
}

const loads = async (token = environment.adminToken) =>
  (await call(environment.url, 'GET', '/api/v1/fleet/figures?loads=true', { token })).body.loads

/** The first figures that are read from now on, and the time it took: earlier ones are cached for 5 s or longer. */
function readFresh(url?: string): Promise<FleetFigures & { tookMs: number }> {
  const sinceMs = Date.now()
  return vi.waitFor(
    async () => {
      const startedAt = performance.now()
      const seen = await figures(undefined, url)
      const tookMs = performance.now() - startedAt
      expect(Date.parse(seen.as_of)).toBeGreaterThan(sinceMs)
      return { ...seen, tookMs }
    },
    { timeout: 50_000, interval: 100 },
  )
}

/** The time of a sample that is recent for as long as a test takes: the clock of an agent may be ahead. */
const aheadMs = 45_000

/** Answers the id of a new agent that has sent. */
async function agent(technology: string, metrics: Record<string, number>, ageMs = -aheadMs): Promise<string> {
  const apId = uniqueName('figures')
  await environment.post('/api/v1/agents/', { ap_id: apId, password: 'p', configuration: { technology } })
  await environment.store.write(apId, [{ at: Date.now() - ageMs, metrics }])
  return apId
}

const sql = (text: string, values: unknown[] = []) => environment.sql(text, values)

/** Also those of an attempt that failed: they would be counted. */
const removeAgents = () => sql('delete from agents')

const none = {
  agents: 0,
  clients: null,
  throughput_mbps: null,
  power_w: null,
  load_pct: null,
  latency_ms: null,
  signal_quality: null,
  busiest: [],
}

describe('the figures of the fleet', () => {
  it('are null without agents, not zero', async () => {
    expect(await figures()).toEqual({
      ...none,
      technologies: ['5G', 'WiFi', 'LiFi', 'other'].map((technology) => ({ technology, ...none })),
      as_of: expect.any(String),
    })
  })

  it('aggregate the newest values of agents that sent within 30 s, by technology', async () => {
    await removeAgents()
    const calm = await agent('WiFi', { clients: 9 }, 20_000)
    await environment.store.write(calm, [
      {
        at: Date.now() + aheadMs,
        metrics: { clients: 3, throughput_mbps: 100.5, load_pct: 40, latency_ms: 4 },
      },
    ])
    const busy = await agent('WiFi', { clients: 4, throughput_mbps: 50, load_pct: 60, power_w: 12.5 })
    await agent('LiFi', { clients: 1, signal_quality: 0.5, rssi_dbm: -60 })
    await agent('5G', { clients: 1000 }, 31_000)
    const gone = await agent('5G', { clients: 1000 })
    await call(environment.url, 'DELETE', `/api/v1/agents/${gone}`, { token: environment.adminToken })
    const { technologies, as_of, tookMs: _, ...all } = await readFresh()
    expect(all).toEqual({
      agents: 3,
      clients: 8,
      throughput_mbps: 150.5,
      power_w: 12.5,
      load_pct: 50,
      latency_ms: 4,
      signal_quality: 0.5,
      busiest: [
        { ap_id: busy, load_pct: 60, clients: 4 },
        { ap_id: calm, load_pct: 40, clients: 3 },
      ],
    })
    const of = (technology: Technology) => technologies.find((each) => each.technology === technology)
    expect(of('WiFi')).toMatchObject({ agents: 2, clients: 7, throughput_mbps: 150.5, signal_quality: null })
    expect(of('LiFi')).toMatchObject({ agents: 1, clients: 1, load_pct: null, signal_quality: 0.5 })
    expect(of('5G')).toEqual({ technology: '5G', ...none })
    expect(Date.now() - Date.parse(as_of)).toBeLessThan(30_000)
    expect(await loads()).toEqual({ [busy]: 60, [calm]: 40 })
  }, 90_000)

  it('are limited to the agents that an app sees', async () => {
    const wifi = await agent('WiFi', { clients: 4 })
    const lifi = await agent('LiFi', { clients: 1 })
    await agent('LiFi', { clients: 9, latency_ms: 4, load_pct: 7 })
    const app = await environment.createApp(uniqueName('figures'), { agents: [wifi, `${lifi}*`] })
    await expect
      .poll(() => figures(app), { timeout: 50_000, interval: 100 })
      .toMatchObject({ agents: 2, clients: 5, latency_ms: null })
    expect(await loads(app)).toEqual({})
    const denied = await environment.createApp(uniqueName('no figures'), { getAgentData: false })
    expect((await ask(denied)).status).toBe(403)
  }, 90_000)

  it('are read once for concurrent requests, and again only after 5 s', async () => {
    const app = await environment.createApp(uniqueName('beside'), {})
    // A server that has not read yet.
    const storeProxy = new StoreProxy(inject('engines').victoria)
    const replica = await startReplica({
      ...environment.variables,
      MANC_VICTORIA_URL: await storeProxy.start(),
      // A subscriber reads once a minute for the trends.
      MANC_ROLES: 'api',
    })
    const { url } = replica
    /** One request for each of the six metrics. */
    const reads = () => storeProxy.requests.filter((path) => path.startsWith('/federate')).length / 6
    try {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) => figures(n % 2 ? app : environment.adminToken, url)),
      )
      expect(new Set(answers.map(({ as_of }) => as_of)).size).toBe(1)
      await figures(undefined, url)
      expect(reads()).toBe(1)
      await sleep(5100)
      expect(reads()).toBe(1)
      const { as_of } = await readFresh(url)
      expect(reads()).toBe(2)
      expect(Date.parse(as_of) - Date.parse(answers[0]?.as_of ?? '')).toBeGreaterThanOrEqual(5000)
    } finally {
      await replica.stop()
      storeProxy.stop()
    }
  }, 90_000)

  it('are 503 while the store does not respond, and available when it does', async () => {
    environment.storeProxy.isSilent = true
    try {
      const answer = async () => {
        const { status, headers } = await ask()
        return [status, headers.get('retry-after')]
      }
      await expect.poll(answer, { timeout: 50_000, interval: 100 }).toEqual([503, expect.any(String)])
    } finally {
      environment.storeProxy.isSilent = false
    }
    expect((await figures()).agents).toBeGreaterThanOrEqual(0)
  }, 60_000)
})

describe('the figures of 10,000 agents', () => {
  it('are complete', async () => {
    const count = 10_000
    const many = uniqueName('many')
    const ids = Array.from({ length: count }, (_, n) => `${many}-${n}`)
    await removeAgents()
    await sql(
      `insert into agents (id, ap_id, password_hash, configuration)
       select gen_random_uuid(), id, 'x', '{}' from unnest($1::text[]) id`,
      [ids],
    )
    await sql(`insert into fleet (ap_id, technology) select id, 'other' from unnest($1::text[]) id`, [ids])
    const write = async () => {
      const at = Date.now() + aheadMs
      const lines = ids.map(
        (id, n) =>
          `${measurementOf(id)},ap_id=${id} clients=${n % 10},throughput_mbps=${n / 100},power_w=10,load_pct=${n % 100},latency_ms=4,signal_quality=0.5 ${at}`,
      )
      await fetch(`${inject('engines').victoria}/write?precision=ms`, {
        method: 'POST',
        body: lines.join('\n'),
      })
      await fetch(`${inject('engines').victoria}/internal/force_flush`)
    }
    // Values count for a short time only, and a slow read delays the next one: on a busy machine the first may see none.
    let tookMs = Number.POSITIVE_INFINITY
    const readOther = async () => {
      await write()
      const read = await readFresh()
      tookMs = Math.min(tookMs, read.tookMs)
      return read.technologies.find(({ technology }) => technology === 'other')
    }
    await expect.poll(readOther, { timeout: 120_000, interval: 1000 }).toMatchObject({
      agents: count,
      clients: 45_000,
      power_w: 100_000,
      load_pct: 49.5,
      busiest: { length: 10, 0: { load_pct: 99 }, 9: { load_pct: 99 } },
    })
    expect(tookMs).toBeLessThan(3000)
  }, 180_000)
})
