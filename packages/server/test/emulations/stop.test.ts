import { jobQueue } from '@manc/contract'
import { call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import amqp from 'amqplib'
import { describe, expect } from 'vitest'

const it = test.override('variables', { MANC_EMULATOR_WAIT_SECONDS: '600' })

let environment: TestEnvironment
let owner: { name: string; token: string }

it.beforeAll(async ({ environment: own }) => {
  environment = own
  owner = await signUp()
})

const soon = { timeout: 40_000, interval: 100 }
const emulator = '00000000-0000-4000-8000-000000000001'

async function signUp() {
  const account = { username: `${uniqueName('user')}@manc.test`, password: 'user-password' }
  expect((await call(environment.url, 'POST', '/api/v1/users/signup', { body: account })).status).toBe(200)
  const token = await tokenOf(environment.url, 'user', account.username, account.password)
  return { name: account.username, token }
}

async function userToDelete() {
  const { name, token } = await signUp()
  return { path: `/api/v1/users/${name}`, token }
}

async function appToDelete() {
  const app = { app_name: uniqueName('app'), api_key: 'a-key', permissions: { 'emulator:spinup': true } }
  expect((await environment.request('POST', '/api/v1/third_party_apps/', app)).status).toBe(200)
  const token = await tokenOf(environment.url, 'third_party_app', app.app_name, app.api_key)
  return { path: `/api/v1/third_party_apps/${app.app_name}`, token }
}

async function spinUp(token = owner.token): Promise<string> {
  const { status, body } = await environment.request(
    'POST',
    '/api/v1/emulator/spinup',
    {
      emulators: [
        {
          access_point_type: 'LiFi',
          num_access_points: 2,
          locations: ['Bristol'],
          num_devices: 1,
          duration: 600,
        },
      ],
    },
    token,
  )
  expect(status).toBe(200)
  return body.job_number
}

const stop = (job: string, token = owner.token) =>
  environment.request('DELETE', `/api/v1/emulations/${job}`, undefined, token)
const jobOf = async (job: string) =>
  (await environment.request('GET', `/api/v1/jobs/${job}`, undefined, owner.token)).body
const left = async (job: string) =>
  (await environment.sql('select 1 from agents where emulation = $1', [job])).length
const report = (job: string, more: object = {}) =>
  environment.request('POST', `/api/v1/callback/emulator?job_number=${job}`, [
    {
      part: 1,
      emulator,
      state: 'running',
      agents: 2,
      live: 2,
      most_live: 2,
      failed: 0,
      samples: 30,
      ...more,
    },
  ])
const audited = (job: string) =>
  environment.sql(`select actor from audit where action = 'emulator.stop' and target = $1`, [job])

describe('stopping an emulation', () => {
  it('ends one that no emulator has taken: its agents are removed, and its message is not run', async () => {
    const job = await spinUp()
    expect((await stop(job)).body).toMatchObject({ status: 'success' })
    await expect.poll(async () => (await jobOf(job)).state, soon).toBe('succeeded')
    expect((await jobOf(job)).detail).toBe(`Stopped by ${owner.name}.`)
    await expect.poll(() => left(job), soon).toBe(0)
    // An emulator that takes the message now is refused, and drops it.
    const connection = await amqp.connect(environment.rabbitmqUrl)
    await (await connection.createChannel()).purgeQueue(jobQueue('emulator_spinup'))
    await connection.close()
    expect((await report(job, { state: 'starting' })).status).toBe(409)
  }, 60_000)

  it('stops the emulator with the response to its next report, and then removes the agents', async () => {
    const job = await spinUp()
    expect((await report(job)).status).toBe(200)
    await stop(job)
    await expect.poll(async () => (await jobOf(job)).state, soon).toBe('succeeded')
    // The emulator still runs them: removed now, they would fail to log in.
    expect(await left(job)).toBe(2)
    expect((await report(job)).status).toBe(409)
    await expect.poll(() => left(job), soon).toBe(0)
    const [summary] = await environment.sql(
      `select data from mailbox where job_number = $1 and type = 'result' order by seq desc limit 1`,
      [job],
    )
    expect(JSON.parse(summary.data)).toMatchObject([{ state: 'stopped', agents: 2, live: 2, samples: 30 }])
  }, 60_000)

  it('removes the agents of a dead emulator when its lease has expired', async () => {
    const job = await spinUp()
    await report(job)
    await stop(job)
    await environment.sql('update emulation_parts set leased_until = now() where job_number = $1', [job])
    await expect.poll(() => left(job), soon).toBe(0)
    expect((await jobOf(job)).state).toBe('succeeded')
  }, 60_000)

  it('can be repeated, also after its agents were removed, and is recorded once', async () => {
    const job = await spinUp()
    expect((await stop(job)).status).toBe(200)
    expect((await stop(job)).status).toBe(200)
    await expect.poll(() => left(job), soon).toBe(0)
    expect((await stop(job)).status).toBe(200)
    expect(await audited(job)).toEqual([{ actor: owner.name }])
  }, 60_000)

  it('removes the agents of one that has ended already', async () => {
    const job = await spinUp()
    await report(job, { state: 'finished' })
    await expect.poll(async () => (await jobOf(job)).state, soon).toBe('succeeded')
    expect((await jobOf(job)).detail).toBeNull()
    await environment.sql('update emulation_parts set leased_until = now() where job_number = $1', [job])
    await stop(job)
    await expect.poll(() => left(job), soon).toBe(0)
    expect((await jobOf(job)).detail).toBeNull()
  }, 60_000)

  it('whose summary cannot be computed ends as failed, and its agents are removed', async () => {
    const job = await spinUp()
    // As a broken report would be.
    await environment.sql(`update emulation_parts set told = 'null' where job_number = $1`, [job])
    await stop(job)
    await expect.poll(async () => (await jobOf(job)).state, { ...soon, timeout: 150_000 }).toBe('failed')
    expect((await jobOf(job)).detail).toContain('summary could not be computed')
    await expect.poll(() => left(job), soon).toBe(0)
  }, 240_000)

  it('by cancelling its job marks the job as cancelled, and can be repeated after its end', async () => {
    const job = await spinUp()
    const cancel = () => environment.request('POST', `/api/v1/jobs/${job}/cancel`, undefined, owner.token)
    expect((await cancel()).status).toBe(200)
    await expect.poll(async () => (await jobOf(job)).ended_at, soon).not.toBeNull()
    expect(await jobOf(job)).toMatchObject({ state: 'succeeded', cancelled: true })
    const { status, body } = await cancel()
    expect([status, body.detail]).toEqual([200, 'The job was cancelled before.'])
    expect(await audited(job)).toEqual([{ actor: owner.name }])
  }, 60_000)

  it('does not end the list for a reader of its pages', async () => {
    const { token } = await signUp()
    const jobs = [await spinUp(token), await spinUp(token), await spinUp(token)].toReversed()
    const page = async (path: string) => {
      const { body, headers } = await environment.request('GET', path, undefined, token)
      const next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
      return { next, listed: body.map((each: { job_number: string }) => each.job_number) }
    }
    const first = await page('/api/v1/emulations?limit=1')
    expect(first.listed).toEqual(jobs.slice(0, 1))
    await stop(jobs[0] ?? '', token)
    await expect
      .poll(() => environment.sql('select 1 from emulations where job_number = $1', [jobs[0]]), soon)
      .toEqual([])
    const second = await page(first.next)
    expect(second.listed).toEqual(jobs.slice(1, 2))
    expect((await page(second.next)).listed).toEqual(jobs.slice(2))
    expect((await environment.request('GET', `/api/v1/emulations?after=${jobs[0]}`)).status).toBe(422)
  }, 60_000)

  it.for(['user', 'app'] as const)('follows when its %s is deleted', { timeout: 60_000 }, async (kind) => {
    const { path, token } = kind === 'user' ? await userToDelete() : await appToDelete()
    const job = await spinUp(token)
    expect((await report(job)).status).toBe(200)
    expect((await environment.request('DELETE', path)).status).toBe(200)
    await expect.poll(async () => (await report(job)).status, soon).toBe(409)
    await expect.poll(() => left(job), soon).toBe(0)
    expect(await audited(job)).toEqual([{ actor: 'manc' }])
  })

  it('is for the owner and administrators; for others the job does not exist', async () => {
    const job = await spinUp()
    const other = await signUp()
    expect((await stop(job, other.token)).status).toBe(404)
    expect((await stop(uniqueName('job'))).status).toBe(404)
    const listed = async (token: string) =>
      (await environment.request('GET', '/api/v1/emulations', undefined, token)).body.find(
        (each: { job_number: string }) => each.job_number === job,
      )
    expect(await listed(other.token)).toBeUndefined()
    expect(await listed(owner.token)).toMatchObject({ agents: 2, state: 'running', owner: owner.name })
    expect(await listed(environment.adminToken)).toMatchObject({ owner: owner.name })
    expect((await stop(job, environment.adminToken)).status).toBe(200)
    await expect.poll(async () => (await jobOf(job)).detail, soon).toBe('Stopped by admin@manc.test.')
    await expect.poll(() => listed(owner.token), soon).toBeUndefined()
  }, 60_000)
})
