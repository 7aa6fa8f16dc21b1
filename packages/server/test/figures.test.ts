import { setTimeout as sleep } from 'node:timers/promises'
import type { FleetFigures, Technology } from '@manc/contract'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call } from './client.ts'
import { sqlAt } from './harness.ts'
import { MetricsScene, run } from './metrics-scene.ts'

let scene: MetricsScene

beforeAll(async () => {
  scene = await MetricsScene.open()
})
afterAll(() => scene?.close())

/** What was read a moment ago is told for 5 s. */
const untilReadAgain = () => sleep(5100)

const ask = (token = scene.adminToken) => call(scene.url, 'GET', '/api/v1/fleet/figures', { token })

async function figures(token?: string): Promise<FleetFigures> {
  const { status, body } = await ask(token)
  expect(status).toBe(200)
  return body
}

const reads = () => scene.doorway.asked.filter((path) => path.startsWith('/federate')).length

async function agent(apId: string, technology: string, metrics: Record<string, number>, ageMs = 0) {
  await scene.post('/api/v1/agents/', { ap_id: apId, password: 'p', configuration: { technology } })
  await scene.store.write(apId, [{ at: Date.now() - ageMs, metrics }])
}

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
  it('are nothing without agents, and not zero', async () => {
    expect(await figures()).toEqual({
      ...none,
      technologies: ['5G', 'WiFi', 'LiFi', 'other'].map((technology) => ({ technology, ...none })),
      as_of: expect.any(String),
    })
  })

  it('add up the newest values of agents that sent within 30 s, by technology', async () => {
    await agent(`${run}-f1`, 'WiFi', { clients: 9 }, 20_000)
    await scene.store.write(`${run}-f1`, [
      { at: Date.now() - 1000, metrics: { clients: 3, throughput_mbps: 100.5, load_pct: 40, latency_ms: 4 } },
    ])
    await agent(`${run}-f2`, 'WiFi', { clients: 4, throughput_mbps: 50, load_pct: 60, power_w: 12.5 })
    await agent(`${run}-f3`, 'LiFi', { clients: 1, signal_quality: 0.5, rssi_dbm: -60 })
    await agent(`${run}-f4`, '5G', { clients: 1000 }, 31_000)
    await agent(`${run}-f5`, '5G', { clients: 1000 })
    await call(scene.url, 'DELETE', `/api/v1/agents/${run}-f5`, { token: scene.adminToken })
    await untilReadAgain()
    const { technologies, as_of, ...all } = await figures()
    expect(all).toEqual({
      agents: 3,
      clients: 8,
      throughput_mbps: 150.5,
      power_w: 12.5,
      load_pct: 50,
      latency_ms: 4,
      signal_quality: 0.5,
      busiest: [
        { ap_id: `${run}-f2`, load_pct: 60, clients: 4 },
        { ap_id: `${run}-f1`, load_pct: 40, clients: 3 },
      ],
    })
    const of = (technology: Technology) => technologies.find((each) => each.technology === technology)
    expect(of('WiFi')).toMatchObject({ agents: 2, clients: 7, throughput_mbps: 150.5, signal_quality: null })
    expect(of('LiFi')).toMatchObject({ agents: 1, clients: 1, load_pct: null, signal_quality: 0.5 })
    expect(of('5G')).toEqual({ technology: '5G', ...none })
    expect(Date.now() - Date.parse(as_of)).toBeLessThan(5000)
  }, 30_000)

  it('are to an app those of the agents that it sees', async () => {
    const app = await scene.app('figures', { agents: [`${run}-f2`, `${run}-f3*`] })
    expect(await figures(app)).toMatchObject({ agents: 2, clients: 5, latency_ms: null })
    const denied = await scene.app('no figures', { getAgentData: false })
    expect((await ask(denied)).status).toBe(403)
  })

  it('are read once for all who ask, and again only after 5 s', async () => {
    await untilReadAgain()
    const before = reads()
    const app = await scene.app('beside', {})
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => figures(n % 2 ? app : scene.adminToken)),
    )
    expect(new Set(answers.map(({ as_of }) => as_of)).size).toBe(1)
    await figures()
    expect(reads() - before).toBe(1)
    await untilReadAgain()
    expect(reads() - before).toBe(1)
    await figures()
    expect(reads() - before).toBe(2)
  }, 30_000)

  it('are refused while the store does not answer, and there again when it does', async () => {
    await untilReadAgain()
    scene.doorway.isSilent = true
    const { status, headers } = await ask()
    expect([status, headers.get('retry-after')]).toEqual([503, expect.any(String)])
    scene.doorway.isSilent = false
    expect((await figures()).agents).toBeGreaterThanOrEqual(0)
  }, 20_000)
})

describe('of 10,000 agents', () => {
  it('the figures are complete', async () => {
    const count = 10_000
    const name = (n: number) => `${run}-many-${n}`
    const database = scene.place.environment['MANC_DATABASE_URL'] ?? ''
    const ids = Array.from({ length: count }, (_, n) => name(n))
    await sqlAt(
      database,
      `insert into agents (id, ap_id, password_hash, configuration)
       select gen_random_uuid(), id, 'x', '{}' from unnest($1::text[]) id`,
      [ids],
    )
    await sqlAt(
      database,
      `insert into fleet (ap_id, technology) select id, 'other' from unnest($1::text[]) id`,
      [ids],
    )
    const at = Date.now()
    const lines = ids.map(
      (id, n) =>
        `agent/${id}/data,ap_id=${id} clients=${n % 10},throughput_mbps=${n / 100},power_w=10,load_pct=${n % 100},latency_ms=4,signal_quality=0.5 ${at}`,
    )
    await fetch(`${inject('engines').victoria}/write?precision=ms`, {
      method: 'POST',
      body: lines.join('\n'),
    })
    await fetch(`${inject('engines').victoria}/internal/force_flush`)
    await untilReadAgain()
    const startedAt = performance.now()
    const { technologies } = await figures()
    const tookMs = performance.now() - startedAt
    expect(technologies.find(({ technology }) => technology === 'other')).toMatchObject({
      agents: count,
      clients: 45_000,
      power_w: 100_000,
      load_pct: 49.5,
      busiest: { length: 10, 0: { load_pct: 99 }, 9: { load_pct: 99 } },
    })
    expect(tookMs).toBeLessThan(3000)
  }, 60_000)
})
