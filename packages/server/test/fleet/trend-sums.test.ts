import { test } from '@manc/harness/fixture'
import { afterAll, expect, vi } from 'vitest'
import { migrate, Postgres } from '../../src/engines/postgres.ts'
import { unavailable } from '../../src/errors.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { TrendsService } from '../../src/modules/fleet/trends.service.ts'
import { type GroupSums, TrendsStore } from '../../src/modules/fleet/trends.store.ts'

const it = test.override('withServer', false)
const log = createLog('silent')
let postgres: Postgres

it.beforeAll(async ({ environment: { databaseUrl: url } }) => {
  await migrate(url, log)
  postgres = new Postgres({ url, connections: 2, log, metrics: new Metrics(log), timeoutMs: 20_000 })
})
afterAll(() => postgres?.stop())

const sums: GroupSums = {
  technology: 'WiFi',
  emulatedBy: null,
  clients: 7,
  throughput_mbps: 30.5,
  power_w: null,
}

const recorder = (read: () => Promise<GroupSums[]>) =>
  new TrendsService({ store: new TrendsStore(postgres), figures: { sums: read }, log })

it('the sums of a minute that was recorded without the metrics store are added', async ({ environment }) => {
  await environment.sql(
    `insert into agents (id, ap_id, password_hash, configuration) values (gen_random_uuid(), 'a', 'x', '{}')`,
  )
  await environment.sql(`insert into fleet (ap_id, interval_s, technology) values ('a', 10, 'WiFi')`)
  const rows = () =>
    environment.sql('select offline, clients, throughput_mbps, power_w from fleet_trends order by at')
  const before = { offline: 1, clients: null, throughput_mbps: null, power_w: null }
  // Again if the minute has ended in between.
  await vi.waitFor(async () => {
    await environment.sql('delete from fleet_trends')
    await recorder(() => Promise.reject(unavailable('The metrics store'))).record()
    expect(await rows()).toEqual([before])
    await recorder(async () => [sums]).record()
    expect(await rows()).toEqual([{ ...before, clients: 7, throughput_mbps: 30.5 }])
    // Recorded once.
    await recorder(async () => [{ ...sums, clients: 9 }]).record()
    expect(await rows()).toEqual([{ ...before, clients: 7, throughput_mbps: 30.5 }])
  }, 30_000)
})

it('an error that is not an outage of the metrics store is not hidden', async ({ environment }) => {
  await environment.sql('delete from fleet_trends')
  await expect(recorder(() => Promise.reject(new TypeError('wrong'))).record()).rejects.toThrow('wrong')
})
