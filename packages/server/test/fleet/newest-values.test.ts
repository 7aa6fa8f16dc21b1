import type { FleetFigures, FleetTable } from '@manc/contract'
import { call, uniqueName } from '@manc/harness'
import { expect } from 'vitest'
import { test as it, type MetricsEnvironment } from '../telemetry/environment.ts'

let environment: MetricsEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

async function agent(intervalS: number, ageMs: number, clients: number): Promise<string> {
  const apId = uniqueName('newest')
  await environment.post('/api/v1/agents/', {
    ap_id: apId,
    password: 'p',
    configuration: { telemetry_interval_s: intervalS },
  })
  await environment.store.write(apId, [{ at: Date.now() - ageMs, metrics: { clients, load_pct: clients } }])
  return apId
}

const get = async (path: string) =>
  (await call(environment.url, 'GET', path, { token: environment.adminToken })).body

it('values are current for three intervals of their agent, in rows, orders and sums', async () => {
  const minute = await agent(60, 120_000, 4)
  const fiveMinutes = await agent(300, 800_000, 8)
  const hour = await agent(3600, 3_700_000, 2)
  // An agent that sends every 10 s has been silent for too long; the other one for more than three of its intervals.
  const fast = await agent(10, 100_000, 16)
  const late = await agent(60, 200_000, 32)
  const rows = async (query: string) => {
    const table: FleetTable = await get(`/api/v1/fleet/table?${query}`)
    return table.rows.map(({ ap_id: apId, clients }) => [apId, clients])
  }
  const byId = new Map((await rows('sort=ap_id')) as [string, number | null][])
  expect([minute, fiveMinutes, hour, fast, late].map((apId) => byId.get(apId))).toEqual([4, 8, 2, null, null])
  expect((await rows('sort=clients')).slice(0, 3)).toEqual([
    [fiveMinutes, 8],
    [minute, 4],
    [hour, 2],
  ])
  await expect
    .poll(async () => ((await get('/api/v1/fleet/figures')) as FleetFigures).clients, {
      timeout: 50_000,
      interval: 200,
    })
    .toBe(14)
}, 90_000)
