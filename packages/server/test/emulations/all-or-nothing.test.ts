import { setTimeout as sleep } from 'node:timers/promises'
import { brokerManagement } from '@manc/harness'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SpinUpScene, type Step } from './spin-up-scene.ts'

let scene: SpinUpScene
let count = 0
const newKey = () => `spin-up ${++count}`

beforeAll(async () => {
  scene = await SpinUpScene.open()
}, 60_000)
afterAll(() => scene?.close())

/** In the order in which a request takes them. */
const steps: [name: string, step: Step][] = [
  ['its key', { table: 'job_keys', statement: /insert into job_keys/ }],
  ['its job', { table: 'jobs', statement: /insert into jobs/ }],
  ['its emulation', { table: 'emulations', statement: /insert into emulations/ }],
  ['its parts', { table: 'emulation_parts', statement: /insert into emulation_parts/ }],
  ['half of its agents', { trigger: 'agent 5000', statement: /insert into agents/ }],
  ['its entry in the audit', { table: 'audit', statement: /insert into "?audit/ }],
  ['its commit', { trigger: 'commit', statement: /^commit/i }],
]

describe('10 × 1,000 agents, when PostgreSQL is killed', () => {
  it('before the request, are not made', async () => {
    const key = newKey()
    const before = await scene.rows()
    await scene.environment.set.kill('postgres')
    expect(await scene.spinUp(key)).toMatchObject({ status: 503 })
    await scene.environment.set.start('postgres')
    expect(await scene.rows()).toEqual(before)
    await scene.expectWhole(key, await scene.retry(key))
  })

  it.each(steps)('at %s, leave nothing, and the same request makes them', async (_name, step) => {
    const key = newKey()
    const before = await scene.rows()
    const release = await scene.hold(step)
    const asked = scene.spinUp(key)
    await scene.arrived(step.statement)
    await scene.environment.set.kill('postgres')
    const answer = await asked
    expect([answer?.status, answer?.headers.has('retry-after')]).toEqual([503, true])
    await release()
    await scene.environment.set.start('postgres')
    expect(await scene.rows()).toEqual(before)
    await scene.expectWhole(key, await scene.retry(key))
  })

  it('once they are committed and before anybody knows, are all there: the same request tells of them', async () => {
    const key = newKey()
    // A commit is written, and then waits for a copy that nobody makes.
    await scene.sql(`alter system set synchronous_standby_names = 'nobody'`)
    await scene.sql('select pg_reload_conf()')
    await sleep(500)
    const asked = scene.spinUp(key)
    await scene.arrived(/^commit/i, 'SyncRep')
    await scene.environment.set.kill('postgres')
    expect(await asked).toMatchObject({ status: 503 })
    await scene.environment.set.start('postgres')
    await scene.sql('alter system reset synchronous_standby_names')
    await scene.sql('select pg_reload_conf()')
    const [{ job_number: job }] = await scene.sql('select job_number from job_keys where key = $1', [key])
    const again = await scene.retry(key)
    expect(again.body.job_number).toBe(job)
    await scene.expectWhole(key, again)
  })

  it('right after the answer, are all there, and are offered to emulators later', async () => {
    const key = newKey()
    const answer = await scene.spinUp(key)
    await scene.environment.set.kill('postgres')
    expect(answer).toMatchObject({ status: 200 })
    await scene.environment.set.start('postgres')
    const again = await scene.retry(key)
    expect(again.body).toEqual(answer?.body)
    await scene.expectWhole(key, again)
  })
})

describe('10 × 1,000 agents, when PostgreSQL stands still', () => {
  it('half-way, leave nothing once it goes on, and the same request makes them', async () => {
    const key = newKey()
    const before = await scene.rows()
    const release = await scene.hold({ trigger: 'agent 5000', statement: /./ })
    const asked = scene.spinUp(key)
    await scene.arrived(/insert into agents/)
    await scene.environment.set.pause('postgres')
    expect(await asked).toMatchObject({ status: 503 })
    await scene.environment.set.resume('postgres')
    await release()
    await expect.poll(() => scene.rows(), { timeout: 5000 }).toEqual(before)
    await scene.expectWhole(key, await scene.retry(key))
  })
})

describe('10 × 1,000 agents, when the server is killed', () => {
  it('half-way, leave nothing, and the same request makes them', async () => {
    const key = newKey()
    const before = await scene.rows()
    const release = await scene.hold({ trigger: 'agent 5000', statement: /./ })
    const asked = scene.spinUp(key)
    await scene.arrived(/insert into agents/)
    await scene.server.stop('SIGKILL')
    expect(await asked).toBeUndefined()
    await release()
    await expect.poll(() => scene.rows(), { timeout: 5000 }).toEqual(before)
    await scene.startServer()
    await scene.expectWhole(key, await scene.retry(key))
  })

  it('right after the answer, with the broker away, are all there, and are offered when both are back', async () => {
    const key = newKey()
    await scene.environment.set.kill('rabbitmq')
    const answer = await scene.spinUp(key)
    await scene.server.stop('SIGKILL')
    expect(answer).toMatchObject({ status: 200 })
    await Promise.all([scene.environment.set.start('rabbitmq'), scene.startServer()])
    const again = await scene.retry(key)
    expect(again.body).toEqual(answer?.body)
    await scene.expectWhole(key, again)
  })
})

describe('10 × 1,000 agents, when the broker is killed', () => {
  it('while it is being told of them, are all there, and are offered later', async () => {
    const key = newKey()
    await scene.environment.set.pause('rabbitmq')
    const answer = await scene.spinUp(key)
    expect(answer).toMatchObject({ status: 200 })
    await sleep(300)
    await scene.environment.set.kill('rabbitmq')
    await scene.environment.set.start('rabbitmq')
    const again = await scene.retry(key)
    expect(again.body).toEqual(answer?.body)
    await scene.expectWhole(key, again)
  })

  it('between two parts, are all there, and are offered later: none is missing, and none has changed', async () => {
    const key = newKey()
    const { urls } = scene.environment.set
    const policy = '/api/policies/%2F/few'
    // The queue takes some and refuses the rest.
    await brokerManagement(urls, 'PUT', policy, {
      pattern: '^manc[.]jobs[.]emulator_spinup$',
      definition: { 'max-length': 7, overflow: 'reject-publish' },
      'apply-to': 'queues',
    })
    await sleep(500)
    const answer = await scene.spinUp(key)
    expect(answer).toMatchObject({ status: 200 })
    await expect.poll(() => scene.waiting(), { timeout: 5000 }).toBeGreaterThanOrEqual(7)
    await scene.environment.set.kill('rabbitmq')
    await scene.environment.set.start('rabbitmq')
    expect(await scene.waiting()).toBeLessThan(40)
    await brokerManagement(urls, 'DELETE', policy)
    await scene.expectWhole(key, answer ?? (await scene.retry(key)))
  })
})
