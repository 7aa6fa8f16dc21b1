import { call, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import pg from 'pg'
import { expect } from 'vitest'
import { startAgentPublisher } from '../abuse/agent-publisher.ts'

it('a database that was demoted is an outage: not ready, 503, and no message of an agent is dropped', async ({
  environment,
}) => {
  const apId = uniqueName('demoted')
  await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
  const publisher = await startAgentPublisher(environment.rabbitmqUrl)
  const { pathname } = new URL(environment.databaseUrl)
  const database = pathname.slice(1)
  // Existing connections end, and new ones can only read: as after a failover.
  const setReadOnly = async (isOn: boolean) => {
    const client = new pg.Client({ connectionString: environment.databaseUrl })
    await client.connect()
    await client.query('set default_transaction_read_only = off')
    await client.query('set transaction_read_only = off').catch(() => {})
    await client.query(
      `alter database "${database}" set default_transaction_read_only = ${isOn ? 'on' : 'off'}`,
    )
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [database],
    )
    await client.end()
  }
  const statusOf = async (path: string) => (await fetch(environment.url + path)).status
  const create = () =>
    environment.request('POST', '/api/v1/agents/', {
      ap_id: uniqueName('new'),
      password: 'p',
      configuration: {},
    })
  await setReadOnly(true)
  try {
    await expect.poll(() => statusOf('/readyz'), { timeout: 20_000, interval: 200 }).toBe(503)
    expect((await create()).status).toBe(503)
    publisher.publish(apId, 'onboard', '{"name":"while read-only"}')
    await publisher.confirmed()
    expect((await create()).status).toBe(503)
  } finally {
    await setReadOnly(false)
  }
  await expect.poll(() => statusOf('/readyz'), { timeout: 20_000, interval: 200 }).toBe(200)
  await expect.poll(async () => (await create()).status, { timeout: 20_000, interval: 200 }).toBe(200)
  const name = async () =>
    (await call(environment.url, 'GET', `/api/v1/agents/${apId}`, { token: environment.adminToken })).body
      .configuration?.name
  await expect.poll(name, { timeout: 30_000, interval: 200 }).toBe('while read-only')
  await publisher.close()
})
