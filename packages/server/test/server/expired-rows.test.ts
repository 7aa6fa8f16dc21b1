import { randomUUID } from 'node:crypto'
import { test } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'
import { Postgres } from '../../src/engines/postgres.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { RevocationStore } from '../../src/modules/revocations/revocations.store.ts'

const keptS = 3600
const log = createLog('silent')
let postgres: Postgres
let revocations: RevocationStore

test.beforeAll(({ environment }) => {
  const { databaseUrl: url } = environment
  postgres = new Postgres({ url, connections: 3, log, metrics: new Metrics(log), timeoutMs: 20_000 })
  revocations = new RevocationStore(postgres)
})
afterAll(() => postgres?.stop())

test('all expired rows are deleted, also those that one statement does not reach', async ({
  environment,
}) => {
  await environment.sql(`insert into revocations (subject, version, revoked_at)
    select gen_random_uuid(), 1, now() - interval '1 day' from generate_series(1, 2500)`)
  const kept = randomUUID()
  await postgres.transaction((tx) => revocations.upsert(tx, kept, 1))
  await revocations.deleteOlderThan(keptS)
  const rows = await environment.sql('select subject from revocations')
  expect(rows).toEqual([{ subject: kept }])
})

test('a row that is renewed while it is deleted stays', async ({ environment }) => {
  const subject = randomUUID()
  await environment.sql(
    `insert into revocations (subject, version, revoked_at) values ($1, 1, now() - interval '1 day')`,
    [subject],
  )
  const waiting = `select 1 from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and query like '%delete from%revocations%'`
  let deletion: Promise<void> | undefined
  await postgres.transaction(async (tx) => {
    await revocations.upsert(tx, subject, 2)
    deletion = revocations.deleteOlderThan(keptS)
    await expect.poll(() => environment.sql(waiting)).toHaveLength(1)
  })
  await deletion
  expect(await environment.sql('select version from revocations where subject = $1', [subject])).toEqual([
    { version: 2 },
  ])
})
