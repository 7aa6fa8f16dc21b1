import { setTimeout as sleep } from 'node:timers/promises'
import { uniqueName } from '@manc/harness'
import { beforeEach, describe, expect, vi } from 'vitest'
import { test as it, patiently, type SpinUpEnvironment, type Step } from './environment.ts'

// Each test makes 10,000 agents, most of them twice, and waits for engines to start again.
vi.setConfig({ testTimeout: 300_000 })

let environment: SpinUpEnvironment
const newKey = () => uniqueName('spin-up')

it.beforeAll(({ environment: own }) => {
  environment = own
})
beforeEach(() => environment.restore())

/** In the order in which a request takes them. */
const steps: [name: string, step: Step][] = [
  ['its idempotency key', { table: 'job_keys', statement: /insert into job_keys/ }],
  ['its job', { table: 'jobs', statement: /insert into jobs/ }],
  ['its emulation', { table: 'emulations', statement: /insert into emulations/ }],
  ['its parts', { table: 'emulation_parts', statement: /insert into emulation_parts/ }],
  ['half of its agents', { trigger: 'agent 5000', statement: /insert into agents/ }],
  ['its audit record', { table: 'audit', statement: /insert into "?audit/ }],
  ['its commit', { trigger: 'commit', statement: /^commit/i }],
]

describe('a request for 10 × 1,000 agents, when PostgreSQL is killed', () => {
  it('creates nothing when PostgreSQL was killed before the request', async () => {
    const key = newKey()
    const before = await environment.rowCounts()
    await environment.set.kill('postgres')
    expect(await environment.spinUp(key)).toMatchObject({ status: 503 })
    await environment.set.start('postgres')
    expect(await environment.rowCounts()).toEqual(before)
    await environment.expectComplete(key, await environment.retry(key))
  })

  it.each(steps)(
    'creates nothing when PostgreSQL is killed at %s, and the repeated request creates all',
    async (_name, step) => {
      const key = newKey()
      const before = await environment.rowCounts()
      const release = await environment.block(step)
      const response = environment.spinUp(key)
      await environment.blockedAt(step.statement)
      await environment.set.kill('postgres')
      const { status, headers } = (await response) ?? {}
      expect([status, headers?.has('retry-after')]).toEqual([503, true])
      await release()
      await environment.set.start('postgres')
      expect(await environment.rowCounts()).toEqual(before)
      await environment.expectComplete(key, await environment.retry(key))
    },
  )

  it('created all when PostgreSQL is killed between commit and response, and the repeated request finds them', async () => {
    const key = newKey()
    await environment.withStandby()
    const response = environment.spinUp(key)
    await environment.blockedAt(/^commit/i, 'SyncRep')
    await environment.set.kill('postgres')
    expect(await response).toMatchObject({ status: 503 })
    await environment.set.start('postgres')
    await environment.withoutStandby()
    const [{ job_number: job }] = await environment.sql('select job_number from job_keys where key = $1', [
      key,
    ])
    const again = await environment.retry(key)
    expect(again.body.job_number).toBe(job)
    await environment.expectComplete(key, again)
  })

  it('created all when PostgreSQL is killed after the response, and offers them to emulators later', async () => {
    const key = newKey()
    const response = await environment.spinUp(key)
    await environment.set.kill('postgres')
    expect(response).toMatchObject({ status: 200 })
    await environment.set.start('postgres')
    const again = await environment.retry(key)
    expect(again.body).toEqual(response?.body)
    await environment.expectComplete(key, again)
  })
})

describe('a request for 10 × 1,000 agents, when PostgreSQL does not respond', () => {
  it('creates nothing when PostgreSQL stops responding half-way, and the repeated request creates all', async () => {
    const key = newKey()
    const before = await environment.rowCounts()
    const release = await environment.block({ trigger: 'agent 5000', statement: /./ })
    const response = environment.spinUp(key)
    await environment.blockedAt(/insert into agents/)
    await environment.set.pause('postgres')
    expect(await response).toMatchObject({ status: 503 })
    await environment.set.resume('postgres')
    await release()
    await expect.poll(() => environment.rowCounts(), patiently).toEqual(before)
    await environment.expectComplete(key, await environment.retry(key))
  })
})

describe('a request for 10 × 1,000 agents, when the server is killed', () => {
  it('creates nothing when the server is killed half-way, and the repeated request creates all', async () => {
    const key = newKey()
    const before = await environment.rowCounts()
    const release = await environment.block({ trigger: 'agent 5000', statement: /./ })
    const response = environment.spinUp(key)
    await environment.blockedAt(/insert into agents/)
    await environment.killProcess()
    expect(await response).toBeUndefined()
    await release()
    await expect.poll(() => environment.rowCounts(), patiently).toEqual(before)
    await environment.startProcess()
    await environment.expectComplete(key, await environment.retry(key))
  })

  it('created all when the server is killed after the response while the broker is down, and offers them when both are back', async () => {
    const key = newKey()
    await environment.set.kill('rabbitmq')
    const response = await environment.spinUp(key)
    await environment.killProcess()
    expect(response).toMatchObject({ status: 200 })
    await Promise.all([environment.set.start('rabbitmq'), environment.startProcess()])
    const again = await environment.retry(key)
    expect(again.body).toEqual(response?.body)
    await environment.expectComplete(key, again)
  })
})

describe('a request for 10 × 1,000 agents, when the broker is killed', () => {
  it('created all when the broker is killed while parts are published, and offers them later', async () => {
    const key = newKey()
    await environment.set.pause('rabbitmq')
    const response = await environment.spinUp(key)
    expect(response).toMatchObject({ status: 200 })
    // Time for the server to begin publishing. Without it the test still holds, for a broker that dies earlier.
    await sleep(300)
    await environment.set.kill('rabbitmq')
    await environment.set.start('rabbitmq')
    const again = await environment.retry(key)
    expect(again.body).toEqual(response?.body)
    await environment.expectComplete(key, again)
  })

  it('created all when the broker is killed between two parts, and offers every part unchanged later', async () => {
    const key = newKey()
    await environment.limitQueue()
    const response = await environment.spinUp(key)
    expect(response).toMatchObject({ status: 200 })
    await expect.poll(() => environment.queued(), patiently).toBeGreaterThanOrEqual(3)
    await environment.set.kill('rabbitmq')
    await environment.set.start('rabbitmq')
    expect(await environment.queued()).toBeLessThan(10)
    await environment.unlimitQueue()
    await environment.expectComplete(key, response ?? (await environment.retry(key)))
  })
})
