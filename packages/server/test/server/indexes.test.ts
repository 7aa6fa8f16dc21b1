import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sqlAt } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import pg from 'pg'
import { expect } from 'vitest'
import { migrate } from '../../src/engines/postgres.ts'
import { createLog } from '../../src/log.ts'

const it = test.override('withServer', false)
const log = createLog('silent')
const index = 'enrolment_tokens_digest'

const isValid = async (url: string) => {
  const { rows } = await sqlAt(
    url,
    `select indisvalid as "isValid" from pg_index where indexrelid = to_regclass('${index}')`,
  )
  return rows[0]?.isValid
}
const building = `
  select from pg_stat_activity
  where datname = current_database() and query like 'create unique index concurrently%'`
const insert = () => `
  insert into enrolment_tokens (id, hash, ap_id_pattern, max_uses, created_by, expires_at)
  values ('${randomUUID()}', '${randomUUID()}', '*', 1, 'test', now() + interval '1 hour')`

it('are built by one of several processes, while tokens are written', async ({ environment }) => {
  const { databaseUrl: url } = environment
  await migrate(url, log)
  await sqlAt(url, `drop index ${index}`)
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  try {
    // The build waits for the end of this transaction.
    await writer.query('begin')
    await writer.query(insert())
    const migrations = Promise.all([migrate(url, log), migrate(url, log)])
    await expect.poll(async () => (await sqlAt(url, building)).rows).toHaveLength(1)
    await Promise.race([
      sqlAt(url, insert()),
      sleep(10_000).then(() => expect.unreachable('a writer waited for the index')),
    ])
    await writer.query('commit')
    await migrations
  } finally {
    await writer.end()
  }
  expect(await isValid(url)).toBe(true)
})

it('are built again if a build was interrupted', async ({ environment: { databaseUrl: url } }) => {
  await migrate(url, log)
  await sqlAt(url, `update pg_index set indisvalid = false where indexrelid = '${index}'::regclass`)
  await migrate(url, log)
  expect(await isValid(url)).toBe(true)
})
