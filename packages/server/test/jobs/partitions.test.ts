import { startReplica } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import pg from 'pg'
import { expect } from 'vitest'

const partitionMs = 6 * 3600 * 1000
const startOf = (ahead: number) => (Math.floor(Date.now() / partitionMs) + ahead) * partitionMs
const nameOf = (ahead: number) => `mailbox_${startOf(ahead) / 1000}`
const createJob = '/api/v1/agent_details/request_all_agents_details'

it('a backup that reads the mailbox does not block jobs when a partition has to be created', async ({
  environment,
}) => {
  const partitions = async () =>
    (await environment.sql(`select inhrelid::regclass::text as name from pg_inherits
       where inhparent = 'mailbox'::regclass`)) as { name: string }[]
  await environment.sql(`drop table if exists ${nameOf(1)}`)
  const backup = new pg.Client({ connectionString: environment.databaseUrl })
  await backup.connect()
  try {
    await backup.query('begin')
    // As `pg_dump` does.
    await backup.query('lock table mailbox in access share mode')
    // A process that starts creates the partition.
    const replica = await startReplica(environment.variables)
    try {
      for (let n = 0; n < 5; n++) expect((await environment.request('POST', createJob)).status).toBe(200)
      const waiting = async () =>
        (
          await environment.sql(
            `select count(*)::int as count from pg_locks where not granted and relation = 'mailbox'::regclass`,
          )
        )[0].count as number
      await expect.poll(waiting, { timeout: 30_000 }).toBe(0)
    } finally {
      await replica.stop()
    }
    await backup.query('commit')
    expect((await partitions()).map(({ name }) => name)).not.toContain(nameOf(1))
    // The next one creates it.
    const later = await startReplica(environment.variables)
    await later.stop()
    expect((await partitions()).map(({ name }) => name)).toContain(nameOf(1))
  } finally {
    await backup.end()
  }
})

it('messages in the default partition, after hours without a process, do not keep the next partition from being created', async ({
  environment,
}) => {
  await environment.sql(`drop table if exists ${nameOf(0)}; drop table if exists ${nameOf(1)}`)
  expect((await environment.request('POST', createJob)).status).toBe(200)
  const stored = async () =>
    (await environment.sql('select count(*)::int as count from mailbox_other'))[0].count as number
  await expect.poll(stored, { timeout: 20_000 }).toBeGreaterThan(0)
  // Expired messages of an earlier outage.
  await environment.sql(`update mailbox_other set created_at = now() - interval '30 days'`)
  expect((await environment.request('POST', createJob)).status).toBe(200)
  const replica = await startReplica(environment.variables)
  await replica.stop()
  const [{ names }] = await environment.sql(
    `select array_agg(inhrelid::regclass::text) as names from pg_inherits where inhparent = 'mailbox'::regclass`,
  )
  expect(names).toContain(nameOf(1))
  const [{ expired }] = await environment.sql(
    `select count(*)::int as expired from mailbox_other where created_at < now() - interval '20 days'`,
  )
  expect(expired).toBe(0)
})
