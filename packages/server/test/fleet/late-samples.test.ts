import { setTimeout as sleep } from 'node:timers/promises'
import { startReplica, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { Postgres } from '../../src/engines/postgres.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { IngesterStore } from '../../src/modules/ingest/ingesters.store.ts'
import { QueueAssignment } from '../../src/modules/ingest/queue-assignment.loop.ts'
import { startSilentProxy } from '../silent-proxy.ts'
import { UpdateSender } from '../telemetry/update-sender.ts'

const soon = { timeout: 30_000, interval: 100 }

async function stateOf(environment: TestEnvironment, apId: string): Promise<string | undefined> {
  const [row] = await environment.sql('select state from fleet where ap_id = $1', [apId])
  return row?.state
}

it('an agent is not silent while nothing arrives from the broker', async ({ environment }) => {
  const apId = uniqueName('late')
  const configuration = { interval: 1 }
  await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration })
  await environment.sql('update fleet set interval_s = 1 where ap_id = $1', [apId])
  const proxy = await startSilentProxy(environment.rabbitmqUrl)
  const ingester = await startReplica({
    ...environment.variables,
    MANC_ROLES: 'ingester',
    MANC_RABBITMQ_URL: proxy.url,
  })
  const sender = new UpdateSender(environment.url, await tokenOf(environment.url, 'agent', apId, 'p'))
  try {
    await expect.poll(() => stateOf(environment, apId), soon).toBe('online')
    proxy.isSilent = true
    // Four times as long as an agent with this interval may be silent.
    for (const until = Date.now() + 12_000; Date.now() < until; await sleep(200))
      expect(await stateOf(environment, apId)).toBe('online')
    proxy.isSilent = false
    await sender.stop()
    await expect.poll(() => stateOf(environment, apId), soon).toBe('offline')
  } finally {
    proxy.isSilent = false
    await sender.stop()
    await ingester.stop()
    proxy.stop()
  }
}, 120_000)

it('an ingester that receives everything counts the lag of another one', async ({ environment }) => {
  const log = createLog('silent')
  const postgres = new Postgres({
    url: environment.databaseUrl,
    connections: 2,
    log,
    metrics: new Metrics(log),
  })
  const store = new IngesterStore(postgres)
  let lateMs = 60_000
  const ingester = (ownLagMs: () => number) =>
    new QueueAssignment({ store, isConnected: () => true, ownLagMs, assigned: () => {}, log })
  const [late, current] = [ingester(() => lateMs), ingester(() => 10)]
  try {
    await current.run()
    expect(current.lagMs).toBe(10)
    // The other one takes its share.
    await late.run()
    await current.run()
    expect(current.lagMs).toBeGreaterThanOrEqual(60_000)
    lateMs = 0
    await late.run()
    await current.run()
    expect(current.lagMs).toBeLessThan(5000)
  } finally {
    await late.stop()
    await current.stop()
    await postgres.stop()
  }
})
