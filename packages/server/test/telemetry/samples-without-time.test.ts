import {
  call,
  type Replica,
  rabbitmqMajor,
  startReplica,
  type TestEnvironment,
  uniqueName,
} from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect, inject } from 'vitest'
import { startAgentPublisher } from '../abuse/agent-publisher.ts'
import { storedTimes } from './stored-times.ts'

/** RabbitMQ 3.10 does not add the time of receipt. */
const it = test.skipIf((await rabbitmqMajor(inject('engines'))) < 4)
const soon = { timeout: 30_000, interval: 200 }
const startIngester = (environment: TestEnvironment) =>
  startReplica({ ...environment.variables, MANC_ROLES: 'ingester' })

it('a sample without a time is stored once, also when it is delivered again', async ({ environment }) => {
  const apId = uniqueName('timeless')
  await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
  const publisher = await startAgentPublisher(environment.rabbitmqUrl)
  const received = async ({ internalUrl }: Replica) => {
    const { body } = await call(internalUrl, 'GET', '/metrics')
    return Number(/^manc_ingest_samples_total (\d+)$/m.exec(String(body))?.[1] ?? 0)
  }
  const stored = () => storedTimes(environment.engines.victoria, apId)
  let ingester = await startIngester(environment)
  try {
    publisher.publish(apId, 'data', '{"payload":{"clients":1}}')
    await expect.poll(async () => (await stored()).length, soon).toBe(1)
    // It is not acknowledged for 15 s: the next ingester receives it again.
    await ingester.stop()
    ingester = await startIngester(environment)
    await expect.poll(() => received(ingester), soon).toBe(1)
    await expect.poll(() => unwritten(ingester), soon).toBe(0)
    expect(await stored()).toHaveLength(1)
  } finally {
    await publisher.close()
    await ingester.stop()
  }

  /** Batches that were received and not written yet. */
  async function unwritten({ internalUrl }: Replica): Promise<number> {
    const { body } = await call(internalUrl, 'GET', '/metrics')
    const written = /^manc_ingest_batch_duration_seconds_count\{outcome="written"\} (\d+)$/m.exec(
      String(body),
    )
    return Number(written?.[1] ?? 0) > 0 ? 0 : 1
  }
}, 120_000)
