import { call, startReplica, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { startSilentProxy } from '../silent-proxy.ts'

it('an update that the broker does not confirm is answered with 503, instead of waiting without end', async ({
  environment,
}) => {
  const apId = uniqueName('silent')
  await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
  const proxy = await startSilentProxy(environment.rabbitmqUrl)
  const replica = await startReplica({ ...environment.variables, MANC_RABBITMQ_URL: proxy.url })
  try {
    const token = await tokenOf(replica.url, 'agent', apId, 'p')
    const update = () =>
      call(replica.url, 'POST', '/api/v1/agent_update/update', { token, body: { clients: 1 } })
    await expect.poll(async () => (await update()).status, { timeout: 20_000 }).toBe(200)
    proxy.isSilent = true
    const startedAt = performance.now()
    const answer = await update()
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).not.toBeNull()
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  } finally {
    proxy.isSilent = false
    await replica.stop()
    proxy.stop()
  }
}, 60_000)

it('a connection over which nothing arrives any more is noticed within a minute, and opened again', async ({
  environment,
}) => {
  const proxy = await startSilentProxy(environment.rabbitmqUrl)
  const replica = await startReplica({ ...environment.variables, MANC_RABBITMQ_URL: proxy.url })
  try {
    const connections = () => replica.logged().split('broker connected').length - 1
    await expect.poll(connections, { timeout: 20_000 }).toBe(1)
    proxy.isSilent = true
    await expect
      .poll(() => replica.logged(), { timeout: 60_000, interval: 100 })
      .toContain('broker disconnected')
    proxy.isSilent = false
    await expect.poll(connections, { timeout: 20_000 }).toBe(2)
  } finally {
    proxy.isSilent = false
    await replica.stop()
    proxy.stop()
  }
}, 120_000)

it('a process stops while the broker does not answer', async ({ environment }) => {
  const proxy = await startSilentProxy(environment.rabbitmqUrl)
  const replica = await startReplica({ ...environment.variables, MANC_RABBITMQ_URL: proxy.url })
  try {
    await expect.poll(() => replica.logged(), { timeout: 20_000 }).toContain('broker connected')
    proxy.isSilent = true
    const startedAt = performance.now()
    await replica.stop()
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  } finally {
    proxy.stop()
  }
}, 60_000)
