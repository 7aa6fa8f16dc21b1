import { setTimeout as sleep } from 'node:timers/promises'
import { admin, call, startServerProcess, tokenOf } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import pg from 'pg'
import { expect } from 'vitest'

const it = test.override('withServer', false)
const connections = 5

it('statements that wait for a lock end in the database when their request has ended', async ({
  environment,
}) => {
  const server = await startServerProcess({
    ...environment.variables,
    MANC_ROLES: 'api',
    MANC_DATABASE_CONNECTIONS: String(connections),
  })
  const blocker = new pg.Client({ connectionString: environment.databaseUrl })
  await blocker.connect()
  try {
    const token = await tokenOf(server.url, 'user', admin.username, admin.password)
    const list = async () => (await call(server.url, 'GET', '/api/v1/jobs', { token })).status
    expect(await list()).toBe(200)
    await blocker.query('begin')
    await blocker.query('lock table jobs in access exclusive mode')
    const until = Date.now() + 12_000
    const callers = Array.from({ length: 2 * connections }, async () => {
      const statuses = new Set<number>()
      while (Date.now() < until) statuses.add(await list())
      return [...statuses]
    })
    await sleep(10_000)
    const { rows } = await blocker.query(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    // A statement ends half a second after its request, so each connection has at most one more. Without that they were 25.
    expect(rows[0].waiting).toBeLessThanOrEqual(3 * connections)
    for (const statuses of await Promise.all(callers)) expect(statuses).toEqual([503])
    await blocker.query('rollback')
    await expect.poll(list, { timeout: 20_000 }).toBe(200)
  } finally {
    await blocker.end()
    await server.stop()
  }
}, 90_000)
