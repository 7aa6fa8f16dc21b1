import { type FleetTable, type TableSort, tableMetrics, tableSorts } from '@manc/contract'
import { call, startReplica, uniqueName } from '@manc/harness'
import { StoreProxy } from '@manc/harness/metrics-store'
import { describe, expect, inject } from 'vitest'
import { test as it, type MetricsEnvironment, run } from '../telemetry/environment.ts'

let environment: MetricsEnvironment

interface Prepared {
  configuration: Record<string, unknown>
  metrics?: Record<string, number>
  health?: string
  state?: string
}

/** Other suites write to the same store. */
const idOf = (name: string) => `${run}-${name}`
const nameOf = (apId: string) => apId.slice(run.length + 1)

const agents: Record<string, Prepared> = {
  't-1': {
    configuration: {
      technology: 'WiFi',
      name: 'Hall 10',
      place: 'Hall',
      software_version: '1.9.0',
      geolocation: { latitude: 51.45, longitude: -2.59 },
    },
    metrics: { clients: 4, load_pct: 40, latency_ms: 9 },
    health: 'good',
    state: 'online',
  },
  't-2': {
    configuration: { technology: 'LiFi', name: 'hall 2', site: 'Annex', version: '1.10.0' },
    metrics: { clients: 9, load_pct: 97, power_w: 12.5, packet_loss_pct: 6 },
    health: 'bad',
    state: 'online',
  },
  't-3': { configuration: { technology: '5G' }, metrics: { clients: 0 }, health: 'good', state: 'stale' },
  't-4': { configuration: {} },
}

it.beforeAll(async ({ environment: own }) => {
  environment = own
  for (const [name, { configuration, health = 'unknown', state = 'offline' }] of Object.entries(agents)) {
    const apId = idOf(name)
    await own.post('/api/v1/agents/', { ap_id: apId, password: 'p', configuration })
    await own.sql(
      `update fleet set kpi_health = $2, state = $3, since = now(),
         last_seen = case when $3 = 'stale' then now() end where ap_id = $1`,
      [apId, health, state],
    )
  }
})

/** With a clock ahead, which is allowed: they stay recent for the whole test. */
it.beforeEach(async () => {
  for (const [name, { metrics }] of Object.entries(agents))
    if (metrics) await environment.store.write(idOf(name), [{ at: Date.now() + 50_000, metrics }])
})

async function table(query: string, token = environment.adminToken): Promise<FleetTable> {
  const { status, body } = await call(environment.url, 'GET', `/api/v1/fleet/table${query}`, { token })
  expect(status).toBe(200)
  return body
}

const idsOf = async (query: string, token?: string) =>
  (await table(query, token)).rows.map(({ ap_id: apId }) => nameOf(apId))

describe('the table of access points', () => {
  it('has the facts and the newest metrics of each, the worst health first', async () => {
    const { total, rows, has_metrics: hasMetrics } = await table('')
    expect([total, hasMetrics]).toEqual([4, true])
    expect(rows.map(({ ap_id: apId, health }) => [nameOf(apId), health])).toEqual([
      ['t-2', 'bad'],
      ['t-4', 'offline'],
      ['t-1', 'good'],
      ['t-3', 'good'],
    ])
    expect(rows[2]).toMatchObject({
      name: 'Hall 10',
      technology: 'WiFi',
      place: 'Hall',
      version: '1.9.0',
      state: 'online',
      is_emulated: false,
      position: { latitude: 51.45, longitude: -2.59 },
      clients: 4,
      load_pct: 40,
      latency_ms: 9,
      power_w: null,
      throughput_down_mbps: null,
    })
  })

  it.each<[TableSort, string, string[]]>([
    ['ap_id', 'asc', ['t-1', 't-2', 't-3', 't-4']],
    ['ap_id', 'desc', ['t-4', 't-3', 't-2', 't-1']],
    ['name', 'asc', ['t-2', 't-1', 't-3', 't-4']],
    ['name', 'desc', ['t-1', 't-2', 't-4', 't-3']],
    ['health', 'desc', ['t-3', 't-1', 't-4', 't-2']],
    ['technology', 'asc', ['t-3', 't-2', 't-1', 't-4']],
    ['place', 'asc', ['t-2', 't-1', 't-3', 't-4']],
    ['state', 'asc', ['t-1', 't-2', 't-3', 't-4']],
    ['last_seen', 'desc', ['t-2', 't-1', 't-3', 't-4']],
    ['version', 'asc', ['t-1', 't-2', 't-3', 't-4']],
    ['clients', 'desc', ['t-2', 't-1', 't-3', 't-4']],
    ['clients', 'asc', ['t-3', 't-1', 't-2', 't-4']],
    ['load_pct', 'desc', ['t-2', 't-1', 't-4', 't-3']],
    ['packet_loss_pct', 'asc', ['t-2', 't-1', 't-3', 't-4']],
  ])('is sorted by %s, %s', async (sort, order, expected) => {
    expect(await idsOf(`?sort=${sort}&order=${order}`)).toEqual(expected)
  })

  it.each(tableSorts)('has every row once in pages of two by %s', async (sort) => {
    const paged = [
      ...(await idsOf(`?sort=${sort}&limit=2`)),
      ...(await idsOf(`?sort=${sort}&limit=2&offset=2`)),
    ]
    expect(paged).toEqual(await idsOf(`?sort=${sort}`))
    expect(paged.toSorted()).toEqual(Object.keys(agents))
    expect(await table(`?sort=${sort}&offset=4`)).toMatchObject({ total: 4, rows: [] })
  })

  it('begins with the largest metric by default', async () => {
    for (const metric of tableMetrics) {
      const values = (await table(`?sort=${metric}`)).rows.map((row) => row[metric] ?? -1)
      expect(values).toEqual(values.toSorted((a, b) => b - a))
    }
  })

  it.each([
    ['health=good', ['t-1', 't-3']],
    ['health=bad&health=offline', ['t-2', 't-4']],
    ['technology=WiFi&technology=5G', ['t-1', 't-3']],
    ['state=stale', ['t-3']],
    ['q=HALL', ['t-1', 't-2']],
    ['q=T-4', ['t-4']],
    ['bbox=-3,51,-2,52', ['t-1']],
    ['q=nothing', []],
  ])('has those that match %s, and counts them', async (filter, expected) => {
    for (const sort of ['ap_id&order=asc', 'health', 'clients']) {
      const { total, rows } = await table(`?${filter}&sort=${sort}`)
      expect(total).toBe(expected.length)
      expect(rows.map(({ ap_id: apId }) => nameOf(apId)).toSorted()).toEqual(expected)
    }
  })

  it('shows an app the agents of its permissions, if it may read metrics', async () => {
    const some = await environment.createApp(uniqueName('some'), { agents: [idOf('t-1'), idOf('t-4')] })
    expect(await table('?sort=clients', some)).toMatchObject({ total: 2, rows: [{ clients: 4 }, {}] })
    expect(await idsOf('?sort=name', some)).toEqual(['t-1', 't-4'])
    const blind = await environment.createApp(uniqueName('blind'), { scopes: ['agents:read'] })
    const { status } = await call(environment.url, 'GET', '/api/v1/fleet/table', { token: blind })
    expect(status).toBe(403)
  })

  it('is shown without metrics while the metrics store is away', async () => {
    const proxy = new StoreProxy(inject('engines').victoria)
    const replica = await startReplica({ ...environment.variables, MANC_VICTORIA_URL: await proxy.start() })
    try {
      const ask = (query: string) =>
        call(replica.url, 'GET', `/api/v1/fleet/table${query}`, { token: environment.adminToken })
      expect((await ask('?sort=name')).body).toMatchObject({ has_metrics: true })
      proxy.stop()
      const { status, body } = await ask('?sort=name')
      expect([status, body.total, body.has_metrics, body.rows[0].clients]).toEqual([200, 4, false, null])
      expect((await ask('?sort=clients')).status).toBe(503)
    } finally {
      await replica.stop()
      proxy.stop()
    }
  })

  it('gets names, places and versions of agents that an earlier release has placed', async () => {
    await environment.sql(
      `update fleet set name_key = null, place = null, place_key = null, version = null, version_key = null, is_described = false`,
    )
    const replica = await startReplica({ ...environment.variables, MANC_ROLES: 'api,subscriber' })
    try {
      await expect
        .poll(() => environment.sql('select ap_id from fleet where not is_described'), { timeout: 90_000 })
        .toEqual([])
      expect((await table('?sort=version')).rows[0]).toMatchObject({ name: 'Hall 10', place: 'Hall' })
    } finally {
      await replica.stop()
    }
  }, 120_000)
})
