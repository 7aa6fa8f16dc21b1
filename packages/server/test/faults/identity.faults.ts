import { setTimeout as sleep } from 'node:timers/promises'
import {
  admin,
  call,
  createEnvironment,
  logIn,
  type ServerProcess,
  startServerProcess,
  type TestEnvironment,
  tokenOf,
  uniqueName,
} from '@manc/harness'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type EngineSet, startSet } from '../../../../tools/engines/index.ts'
import { StolenTime } from './abuse/stolen-time.ts'

const stolen = new StolenTime()
let engines: EngineSet
let environment: TestEnvironment
let replicas: ServerProcess[]
let token: string

beforeAll(async () => {
  engines = await startSet({ name: 'faults', ephemeral: true })
  environment = await createEnvironment(engines.urls)
  replicas = [
    await startServerProcess(environment.variables),
    await startServerProcess(environment.variables),
  ]
  token = await tokenOf(url(0), 'user', admin.username, admin.password)
  // The database may not answer in time while the engines of another suite start.
  while (
    (await post(0, '/api/v1/agents/', { ap_id: 'ap-1', password: 'p', configuration: {} })).status === 503
  );
})

afterAll(async () => {
  stolen.stop()
  for (const replica of replicas ?? []) await replica.stop()
  await engines?.down()
})

/** Whatever was done to the engines, no process may have died or lost track of a promise. */
afterEach(() => {
  for (const replica of replicas) {
    expect(replica.process.exitCode).toBeNull()
    expect(replica.output()).not.toMatch(/unhandled|uncaught|"level":60/i)
  }
})

const url = (n: number) => replicas[n]?.url ?? ''
const get = (path: string) => call(url(0), 'GET', path, { token })
const post = (n: number, path: string, body: unknown) => call(url(n), 'POST', path, { token, body })

/** One of each kind: a hot read, a plain read, a list, a write and a login. */
const requests: Record<string, () => Promise<{ status: number; headers: Headers; body: unknown }>> = {
  'reading an agent': () => get('/api/v1/agents/ap-1'),
  'reading a user': () => get('/api/v1/users/me'),
  'listing users': () => get('/api/v1/users/?limit=10'),
  'creating a user': () =>
    post(0, '/api/v1/users/', { username: 'ann@example.test', password: 'ann-password', roles: [] }),
  'logging in': () => logIn(url(0), 'user', admin.username, admin.password),
}

/** Without the time for which the hypervisor gave the CPU to another machine. */
const msSince = (startedAt: number) => Date.now() - startedAt - stolen.msSince(startedAt)

/**
 * Of a few rounds until one is quick enough: a busy machine may hold one up, and never holds up all. But none takes more
 * than twice as long: the first of them meets what the trouble has left behind.
 */
async function quickest(within: number, round: () => Promise<number>): Promise<number> {
  const tookMs: number[] = []
  while (tookMs.length < 3 && Math.min(...tookMs) >= within) tookMs.push(await round())
  expect(Math.max(...tookMs)).toBeLessThan(2 * within)
  return Math.min(...tookMs)
}

async function expectUnavailable(within: number): Promise<void> {
  for (const [name, request] of Object.entries(requests)) {
    const tookMs = await quickest(within, async () => {
      const startedAt = Date.now()
      const { status, headers, body } = await request()
      const ms = msSince(startedAt)
      expect([name, status]).toEqual([name, 503])
      expect([name, headers.get('retry-after')]).toEqual([name, expect.stringMatching(/^\d+$/)])
      expect([name, body]).toEqual([name, { detail: expect.stringContaining('Try again') }])
      return ms
    })
    expect(tookMs, `${name} took ${Math.round(tookMs)} ms`).toBeLessThan(within)
  }
}

async function expectRecovered(): Promise<void> {
  const startedAt = Date.now()
  const statuses = async () => [
    (await get('/api/v1/agents/ap-1')).status,
    (await logIn(url(0), 'user', admin.username, admin.password)).status,
    (await get('/readyz')).status,
  ]
  await expect.poll(statuses, { interval: 50 }).toEqual([200, 200, 200])
  expect(msSince(startedAt)).toBeLessThan(5000)
}

describe('PostgreSQL', () => {
  it('killed: every request gets 503 with Retry-After within 2 s, and succeeds within 5 s of the restart', async () => {
    await engines.kill('postgres')
    await expectUnavailable(2000)
    const ready = await get('/readyz')
    expect([ready.status, ready.body.engines.postgres]).toEqual([503, 'down'])
    await sleep(6000)
    await expectUnavailable(2000)
    await engines.start('postgres')
    await expectRecovered()
  })

  it('hung: every request gets 503 with Retry-After within 2 s, and succeeds within 5 s of its return', async () => {
    await engines.pause('postgres')
    await expectUnavailable(2000)
    await engines.resume('postgres')
    await expectRecovered()
  })

  it('hung during writes: afterwards no connection is idle in a transaction, and writes succeed', async () => {
    const recover = () => post(0, '/api/v1/users/password-recovery', { username: 'ann@example.test' })
    await engines.pause('postgres')
    const answers = await Promise.all(Array.from({ length: 20 }, recover))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 503))
    await engines.resume('postgres')
    await expectRecovered()
    const idle = () =>
      environment.sql(
        `select count(*)::int as n from pg_stat_activity
         where state = 'idle in transaction' and now() - state_change > interval '1 s'`,
      )
    await sleep(2000)
    await expect.poll(idle).toEqual([{ n: 0 }])
    await logIn(url(0), 'user', 'slip@example.test', 'wrong-password')
    const counted = await environment.sql('select failures from login_failures')
    expect(counted.length).toBeGreaterThan(0)
  })

  it('down at the start of a server: the server reports it and exits', async () => {
    await engines.kill('postgres')
    await expect(startServerProcess(environment.variables)).rejects.toThrow(/ECONNREFUSED/)
    await engines.start('postgres')
    await expectRecovered()
  })
})

describe('RabbitMQ', () => {
  it('killed: the interface keeps working, and readiness names the broker', async () => {
    await engines.kill('rabbitmq')
    await expect.poll(async () => (await get('/readyz')).body.engines.rabbitmq).toBe('down')
    expect((await get('/readyz')).status).toBe(200)
    expect((await get('/api/v1/agents/ap-1')).status).toBe(200)
    expect((await logIn(url(0), 'user', admin.username, admin.password)).status).toBe(200)
  })

  it('down: a password change at one replica revokes old tokens at the other within 1 s', async () => {
    await expectRevocationAcrossReplicas()
  })

  it('down at the start of a server: the server starts', async () => {
    const late = await startServerProcess(environment.variables)
    expect((await call(late.url, 'GET', '/readyz')).status).toBe(200)
    expect(await late.stop()).toBe(0)
  })

  it('back: the broker is used again, and revocation works', async () => {
    await engines.start('rabbitmq')
    await expect
      .poll(async () => (await get('/readyz')).body.engines.rabbitmq, { timeout: 60_000 })
      .toBe('up')
    await expectRevocationAcrossReplicas()
  })
})

describe('VictoriaMetrics', () => {
  it('killed and back: identity operations keep working, and readiness names the store', async () => {
    const state = async () => (await get('/readyz')).body.engines.victoriametrics
    await engines.kill('victoria')
    // Requests for readiness within a second share one check.
    await expect.poll(state).toBe('down')
    expect((await get('/api/v1/agents/ap-1')).status).toBe(200)
    await engines.start('victoria')
    await expect.poll(state, { timeout: 60_000 }).toBe('up')
  })
})

async function expectRevocationAcrossReplicas(): Promise<void> {
  expect(await quickest(1000, revocationMs)).toBeLessThan(1000)
}

/** From the answer to a change of a password at one replica until an old token has ended at the other. */
async function revocationMs(): Promise<number> {
  const username = `${uniqueName('revoked')}@example.test`
  await post(0, '/api/v1/users/', { username, password: 'old-password', roles: [] })
  const old = await tokenOf(url(1), 'user', username, 'old-password')
  const me = () => call(url(1), 'GET', '/api/v1/users/me', { token: old })
  expect((await me()).status).toBe(200)
  const changed = await call(url(0), 'PUT', `/api/v1/users/${username}`, {
    token,
    body: { password: 'new-password' },
  })
  expect(changed.status).toBe(200)
  const startedAt = Date.now()
  await expect.poll(async () => (await me()).status, { interval: 20 }).toBe(401)
  return msSince(startedAt)
}
