import { test } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import { migrate, Postgres } from '../../src/engines/postgres.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { DisconnectionStore } from '../../src/modules/disconnections/disconnections.store.ts'

const it = test.override('withServer', false)
const log = createLog('silent')
const delayMs = 0
let postgres: Postgres

it.beforeAll(async ({ environment: { databaseUrl: url } }) => {
  await migrate(url, log)
  postgres = new Postgres({ url, connections: 2, log, metrics: new Metrics(log), timeoutMs: 20_000 })
})
afterAll(() => postgres?.stop())

it('the removal of thousands of emulated agents does not delay the disconnection of a deleted one', async ({
  environment,
}) => {
  await environment.sql(
    `insert into disconnections (ap_id, next_attempt_at, is_urgent)
     select 'emu-' || n, now() - interval '1 minute', false from generate_series(1, 5000) n`,
  )
  const store = new DisconnectionStore(postgres)
  await store.add(postgres.db, 'deleted', { delayMs, isUrgent: true })
  const due = await store.leaseDue(50, 5000)
  expect(due).toHaveLength(50)
  expect(due.map(({ apId }) => apId)).toContain('deleted')
  // Emulated agents are disconnected too, when nothing else is due.
  expect(await store.leaseDue(50, 5000)).toHaveLength(50)
})
