import { call, type TestEnvironment } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { Postgres } from '../../src/engines/postgres.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { FleetStore } from '../../src/modules/fleet/fleet.store.ts'

it('the counts equal the rows after concurrent changes, removals and merges', async ({ environment }) => {
  const log = createLog('silent')
  const { databaseUrl: url } = environment
  const postgres = new Postgres({ url, connections: 8, log, metrics: new Metrics(log), timeoutMs: 20_000 })
  const store = new FleetStore(postgres)
  const register = (from: number, to: number) =>
    environment.sql(
      `insert into agents (id, ap_id, password_hash, configuration)
       select gen_random_uuid(), 'count-' || n, 'x', '{}' from generate_series($1::int, $2::int) as n`,
      [from, to],
    )
  const change = (text: string) => environment.sql(text)
  try {
    // Of an attempt that failed.
    await change(`delete from agents where ap_id like 'count-%'`)
    await register(1, 300)
    await change(
      `insert into fleet (ap_id, technology) select ap_id, (array['5G', 'WiFi', 'LiFi'])[1 + length(ap_id) % 3]
       from agents where ap_id like 'count-%'`,
    )
    // Statements of many rows have rows of their own: two that lock the same rows in another order would deadlock.
    await Promise.all([
      change(`update fleet set state = 'online' where ap_id like 'count-1%'`),
      change(`update fleet set technology = '5G' where ap_id like 'count-2%'`),
      store.mergeCounts(),
      change(`delete from agents where ap_id like 'count-5%'`),
      change(`update fleet set state = 'stale', emulated_by = gen_random_uuid() where ap_id like 'count-3%'`),
      store.mergeCounts(),
      change(`update fleet set keeper = null, kpi_health = 'bad' where ap_id like 'count-4%'`),
      ...['online', 'stale', 'offline'].map((state) =>
        change(`update fleet set state = '${state}' where ap_id = 'count-6'`),
      ),
    ])
    await change(`update fleet set kpi_health = 'degraded' where ap_id like 'count-1%'`)
    await expectEqual(environment)
    await store.mergeCounts()
    await expectEqual(environment)
    const summary = await call(environment.url, 'GET', '/api/v1/fleet/summary?emulated=all', {
      token: environment.adminToken,
    })
    const [{ total }] = await environment.sql('select count(*)::int as total from fleet')
    expect(summary.body.total).toBe(total)
    const degraded = await environment.sql(
      `select count(*)::int as agents from fleet where kpi_health = 'degraded' and state <> 'offline'`,
    )
    expect(summary.body.health.degraded).toBe(degraded[0].agents)
    expect(summary.body.health.offline).toBe(summary.body.offline)
    expect(total).toBeGreaterThan(200)
  } finally {
    await postgres.stop()
  }
})

async function expectEqual(environment: TestEnvironment): Promise<void> {
  const columns = 'technology, state, health, emulated_by'
  const counted = await environment.sql(
    `select ${columns}, sum(agents)::int as agents from fleet_counts
     group by ${columns} having sum(agents) <> 0 order by ${columns}`,
  )
  const rows = await environment.sql(
    `select ${columns}, count(*)::int as agents
     from (select *, case when state = 'offline' then 'offline' else kpi_health end as health from fleet) as agent
     group by ${columns} order by ${columns}`,
  )
  expect(counted).toEqual(rows)
}
