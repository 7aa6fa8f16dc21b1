import { readFileSync } from 'node:fs'
import path from 'node:path'
import { call, startReplica, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect } from 'vitest'

const docs = readFileSync(path.join(import.meta.dirname, '../../../../docs/operations/metrics.md'), 'utf8')
const roles = 'api,subscriber,ingester'
const it = test.override('variables', { MANC_ROLES: roles, MANC_DATABASE_CONNECTIONS: '7' })
const soon = { timeout: 30_000, interval: 100 }
let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const metricsText = async (): Promise<string> =>
  (await call(environment.server.internalUrl, 'GET', '/metrics')).body

/** The value of one series; undefined if there is none. Labels may be given in part. */
async function valueOf(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const series = (await metricsText()).split('\n').filter((line) => /^[^#]/.test(line))
  const found = series.find(
    (line) =>
      line.split(/[{ ]/, 1)[0] === name &&
      Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
  )
  return found === undefined ? undefined : Number(found.slice(found.lastIndexOf(' ')))
}

async function createAgent(apId: string): Promise<string> {
  await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
  return tokenOf(environment.url, 'agent', apId, 'p')
}

const sendSample = (token: string, payload: unknown) =>
  call(environment.url, 'POST', '/api/v1/agent_update/update', {
    token,
    body: { payload },
  })

describe('/metrics', () => {
  it('has every metric of the documentation, and no other of the server', async () => {
    await call(environment.url, 'GET', '/healthz')
    const served = [...(await metricsText()).matchAll(/^# HELP (manc_\w+) /gm)].map(([, name = '']) => name)
    const documented = [...docs.matchAll(/^\| `(manc_\w+)` /gm)].map(([, name = '']) => name)
    expect(new Set(served)).toEqual(new Set(documented))
  })

  it('names the version and the roles', async () => {
    expect(await valueOf('manc_build_info', { roles, node: process.versions.node })).toBe(1)
  })

  it('counts samples from their arrival at the broker to the metrics store', async () => {
    const token = await createAgent(uniqueName('metered'))
    const counts = async () => [
      (await valueOf('manc_ingest_samples_total')) ?? 0,
      (await valueOf('manc_ingest_batch_duration_seconds_count', { outcome: 'written' })) ?? 0,
      (await valueOf('manc_ingest_lag_seconds_count')) ?? 0,
      (await valueOf('manc_rabbitmq_published_total', { exchange: 'amq.topic', outcome: 'confirmed' })) ?? 0,
    ]
    const before = await counts()
    expect((await sendSample(token, { clients: 1 })).status).toBe(200)
    await expect.poll(counts, soon).toEqual(before.map((count) => count + 1))
    expect(await valueOf('manc_ingest_lag_seconds_sum')).toBeLessThan(60)
  })

  it('counts jobs when they are created and when they end', async () => {
    const before = (await valueOf('manc_jobs_created_total', { kind: 'agent_details' })) ?? 0
    expect(
      (await environment.request('POST', '/api/v1/agent_details/request_all_agents_details')).status,
    ).toBe(200)
    expect(await valueOf('manc_jobs_created_total', { kind: 'agent_details' })).toBe(before + 1)
    const ended = () => valueOf('manc_jobs_ended_total', { kind: 'agent_details', state: 'succeeded' })
    await expect.poll(ended, soon).toBe(before + 1)
  })

  it('counts commands that wait for their agent', async () => {
    const apId = uniqueName('metered')
    await createAgent(apId)
    const waiting = async () =>
      ((await valueOf('manc_commands', { state: 'queued' })) ?? 0) +
      ((await valueOf('manc_commands', { state: 'sent' })) ?? 0)
    const before = await waiting()
    const command = `/api/v1/send_command?agent_id=${apId}&command=reboot`
    expect((await environment.request('POST', command)).status).toBe(200)
    await expect.poll(waiting, soon).toBe(before + 1)
  })

  it('reports connections, hashes and caches of the process', async () => {
    for (let n = 0; n < 2; n++) await environment.request('GET', '/api/v1/users/me')
    expect(await valueOf('manc_cache_lookups_total', { cache: 'tokens', outcome: 'hit' })).toBeGreaterThan(0)
    await expect.poll(() => valueOf('manc_postgres_connections', { state: 'idle' }), soon).toBeGreaterThan(0)
    expect(await valueOf('manc_postgres_connections_limit')).toBe(7)
    await expect.poll(() => valueOf('manc_password_hashes', { state: 'queued', kind: 'login' }), soon).toBe(0)
    for (const engine of ['postgres', 'rabbitmq', 'victoriametrics'])
      await expect
        .poll(async () => [engine, await valueOf('manc_engine_up', { engine })], soon)
        .toEqual([engine, 1])
  })

  it('requires MANC_METRICS_TOKEN as bearer token where it is set', async () => {
    const token = 'a-token-of-at-least-thirty-two-characters'
    const guarded = await startReplica({ ...environment.variables, MANC_METRICS_TOKEN: token })
    try {
      const get = (bearer?: string) =>
        call(guarded.internalUrl, 'GET', '/metrics', bearer === undefined ? {} : { token: bearer })
      expect((await get()).status).toBe(401)
      expect((await get(`${token}x`)).status).toBe(401)
      const { status, body } = await get(token)
      expect([status, body.includes('manc_build_info')]).toEqual([200, true])
      expect((await call(guarded.internalUrl, 'GET', '/healthz')).status).toBe(200)
    } finally {
      await guarded.stop()
    }
  })
})
