import { cellsAcross, type FleetCells, maxSingleAgents } from '@manc/contract'
import { call, uniqueName } from '@manc/harness'
import { describe, expect } from 'vitest'
import { test as it, type MetricsEnvironment } from '../telemetry/environment.ts'

let environment: MetricsEnvironment
const prefix = uniqueName('cells')
const many = 3000

it.beforeAll(async ({ environment: own }) => {
  environment = own
  // Two places: 2,000 and 1,000 agents, each within a hundredth of a degree; one agent without a position.
  await own.sql(
    `insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), $1 || '-' || n, 'x', '{}' from generate_series(0, $2::int) as n`,
    [prefix, many],
  )
  await own.sql(
    `insert into fleet (ap_id, name, technology, state, kpi_health, latitude, longitude)
     select $1 || '-' || n, 'Cell ' || n, case when n % 3 = 0 then 'WiFi' else 'LiFi' end,
       case when n % 10 = 0 then 'offline' else 'online' end, case when n % 10 = 1 then 'bad' else 'good' end,
       case when n < $2 then 51 + (n % 10) / 1000.0 end, case when n < $2 then (n % 3) / 2 + (n % 7) / 1000.0 end
     from generate_series(0, $2::int) as n`,
    [prefix, many],
  )
})

async function cells(query = '', token = environment.adminToken): Promise<FleetCells> {
  const { status, body } = await call(environment.url, 'GET', `/api/v1/fleet/cells?${query}`, { token })
  expect(status).toBe(200)
  return body
}

const sumOf = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0)

describe('agents for a map', () => {
  it('are grouped in cells if there are many, and each is counted once', async () => {
    const { total, area, agents, cells: found } = await cells()
    expect(total).toBe(many + 1)
    expect(agents).toEqual([])
    expect(area).toEqual({ west: 0, south: 51, east: 1.006, north: 51.009 })
    expect(found.length).toBeGreaterThan(1)
    expect(found.length).toBeLessThanOrEqual(cellsAcross ** 2)
    expect(sumOf(found.map((cell) => cell.agents))).toBe(many)
    for (const cell of found) {
      expect(sumOf(cell.technologies)).toBe(cell.agents)
      expect(sumOf(cell.states)).toBe(cell.agents)
      expect(sumOf(cell.healths)).toBe(cell.agents)
      expect(cell.loads).toBeUndefined()
    }
    const offline = sumOf(found.map(({ states }) => states[2] ?? 0))
    expect(offline).toBe(many / 10)
    expect(sumOf(found.map(({ healths }) => healths[2] ?? 0))).toBe(offline)
    expect(sumOf(found.map(({ healths }) => healths[0] ?? 0))).toBe(many / 10)
  })

  it('are smaller cells in a smaller area, and single agents where they are few', async () => {
    const west = await cells('bbox=-0.01,50,0.5,52')
    expect(west).toMatchObject({ total: 2000, cells: [], area: { west: 0, east: 0.006 } })
    expect(west.agents).toHaveLength(maxSingleAgents)
    expect(west.agents[0]).toMatchObject({
      name: expect.stringMatching(/^Cell /),
      position: { latitude: 51 },
    })
    const lifi = await cells('technology=LiFi&state=offline')
    expect(lifi.total).toBe(lifi.agents.length)
    expect(lifi.agents.every(({ technology, health }) => technology === 'LiFi' && health === 'offline')).toBe(
      true,
    )
    const one = await cells(`ap_id=${prefix}-7`)
    expect(one.agents.map(({ ap_id: apId }) => apId)).toEqual([`${prefix}-7`])
  })

  it('count their loads if these are asked for', async () => {
    const at = Date.now() + 50_000
    await environment.store.write(`${prefix}-1`, [{ at, metrics: { load_pct: 95 } }])
    await environment.store.write(`${prefix}-2`, [{ at, metrics: { load_pct: 15 } }])
    await expect
      .poll(
        async () => {
          const { cells: found } = await cells('loads=true')
          return [0, 1, 2, 3, 4, 5].map((step) => sumOf(found.map(({ loads }) => loads?.[step] ?? 0)))
        },
        { timeout: 60_000, interval: 500 },
      )
      .toEqual([1, 0, 0, 0, 1, many - 2])
    expect((await cells(`loads=true&ap_id=${prefix}-1&ap_id=${prefix}-3`)).agents).toMatchObject([
      { load_pct: 95 },
      { load_pct: null },
    ])
  }, 90_000)

  it('are those that an app may see, with loads if it may read metrics', async () => {
    const app = await environment.createApp(uniqueName('cells'), {
      agents: [`${prefix}-1*`],
      scopes: ['agents:read'],
    })
    const seen = await cells('', app)
    expect(seen.total).toBe(1111)
    expect(seen.agents.every(({ ap_id: apId }) => apId.startsWith(`${prefix}-1`))).toBe(true)
    const { status } = await call(environment.url, 'GET', '/api/v1/fleet/cells?loads=true', { token: app })
    expect(status).toBe(403)
  })
})

it('a list of an area can include agents without a position', async () => {
  const ids = async (query: string) => {
    const { body } = await call(environment.url, 'GET', `/api/v1/fleet/table?limit=1&${query}`, {
      token: environment.adminToken,
    })
    return body.total
  }
  expect(await ids('bbox=0.5,50,2,52')).toBe(1000)
  expect(await ids('bbox=0.5,50,2,52&unplaced=true')).toBe(1001)
  expect(await ids('unplaced=true')).toBe(many + 1)
})
