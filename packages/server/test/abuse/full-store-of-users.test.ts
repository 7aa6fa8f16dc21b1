import { envelopeProtocol } from '@manc/contract'
import { call, tokenOf } from '@manc/harness'
import { expect } from 'vitest'
import { test as base, type JobsEnvironment } from '../jobs/environment.ts'

const maxBytes = 16_000_000
const it = base.override('variables', {
  MANC_MAILBOXES_BYTES: String(maxBytes),
  // Jobs of users are told from those of others also where both have the same limit.
  MANC_USER_UNREAD_BYTES: '10000000',
  MANC_UNREAD_BYTES: '10000000',
})
const soon = { timeout: 60_000, interval: 200 }
const details = '/api/v1/agent_details/request_all_agents_details'
const agents = 4000
const accounts = 8

let environment: JobsEnvironment
it.beforeAll(async ({ environment: own }) => {
  environment = own
  // Results of about 2.4 MB each: the unread ones of seven accounts fill the store.
  await environment.sql(`insert into agents (id, ap_id, password_hash, configuration)
    select gen_random_uuid(), 's-' || n, 'x', json_build_object('note', repeat('x', 450)) from generate_series(1, ${agents}) as n`)
})

async function signUp(username: string): Promise<string> {
  const account = { username, password: 'a-password' }
  const { status } = await call(environment.url, 'POST', '/api/v1/users/signup', { body: account })
  expect(status).toBe(200)
  return tokenOf(environment.url, 'user', username, account.password)
}

const metricsOf = async (replica: 0 | 1) =>
  (await call(environment.internalUrlOf(replica), 'GET', '/metrics')).body as string
const measured = async (replica: 0 | 1) =>
  Number((await metricsOf(replica)).match(/^manc_mailbox_bytes (\S+)/m)?.[1] ?? 0)

const jobOf = async (number: string) => {
  const [row] = await environment.sql(
    `select state, waiting_bytes::int as bytes, reader_waits > 0 as "isWaiting" from jobs where job_number = $1`,
    [number],
  )
  return row
}

/** Until both replicas have measured what is stored. */
async function measure(): Promise<number> {
  const [{ bytes }] = await environment.sql(
    'select coalesce(sum(waiting_bytes), 0)::float8 as bytes from jobs',
  )
  await expect
    .poll(async () => Math.min(await measured(0), await measured(1)), soon)
    .toBeGreaterThanOrEqual(bytes)
  return bytes
}

async function readAll(number: string, token: string): Promise<void> {
  const client = await environment.connect(number, { token, protocols: [envelopeProtocol] })
  client.socket.on('message', (data) => client.acknowledge(JSON.parse((data as Buffer).toString()).seq))
  expect(await client.closed).toMatchObject({ code: 1000 })
  expect(client.messages.flatMap(({ data }) => data)).toHaveLength(agents)
}

it('accounts from sign-up cannot fill the store for operators', async () => {
  const owned: { number: string; token: string }[] = []
  let stored = 0
  for (let n = 0; n < accounts; n++) {
    const token = await signUp(`signed-up-${n}@abuse.test`)
    const number = await environment.requestJob(details, token)
    owned.push({ number, token })
    const hasStopped = async () => {
      const { state, isWaiting } = await jobOf(number)
      return state !== 'queued' && (state !== 'running' || isWaiting)
    }
    await expect.poll(hasStopped, soon).toBe(true)
    stored = await measure()
  }
  const jobs = await Promise.all(owned.map(({ number }) => jobOf(number)))
  const poster = await environment.posterToken()
  const post = async (number: string, key: string, replica: 0 | 1 = 0) =>
    (await environment.postResult(number, [{}], { token: poster, key, replica })).status
  const paused = owned.at(-1) as (typeof owned)[number]
  const statuses = {
    user: [await post(paused.number, 'late', 0), await post(paused.number, 'late', 1)],
    app: [await post('box of the app', 'first', 0), await post('box of the app', 'second', 1)],
  }
  const ended = jobs.filter(({ state }) => state === 'succeeded').length
  process.stdout.write(
    `report ${JSON.stringify({ attack: 'accounts from sign-up', stored, measured: await measured(0), maxBytes, ended, statuses })}\n`,
  )
  expect(statuses.app).toEqual([200, 200])
  expect(statuses.user).toEqual([503, 503])
  expect(stored).toBeLessThan(maxBytes * 0.75)
  // Jobs of users wait, and none fails.
  expect(jobs.every(({ state }) => state === 'succeeded' || state === 'running')).toBe(true)
  expect(jobs.at(-1)).toEqual({ state: 'running', bytes: 0, isWaiting: true })
  expect(await metricsOf(0)).toMatch(/limit="MANC_MAILBOXES_BYTES"} [1-9]/)
  // The job of an operator is not delayed.
  const operator = { username: 'operator@abuse.test', password: 'a-password', roles: ['operator'] }
  await environment.request('POST', '/api/v1/users/', operator)
  const operatorToken = await tokenOf(environment.url, 'user', operator.username, operator.password)
  await readAll(await environment.requestJob(details, operatorToken), operatorToken)
  // Results that the callbacks have acknowledged are all there, and the jobs continue when there is space.
  const complete = owned.filter((_, n) => jobs[n]?.state === 'succeeded')
  for (const { number, token } of complete) await readAll(number, token)
  const spaceAgain = async () => {
    // Again, because it keeps what a transaction of another process could still read.
    await environment.sql('vacuum full mailbox')
    return Math.max(await measured(0), await measured(1))
  }
  await expect.poll(spaceAgain, { ...soon, interval: 1000 }).toBeLessThan(maxBytes / 4)
  for (const { number, token } of owned.filter((each) => !complete.includes(each)).slice(0, 2))
    await readAll(number, token)
}, 300_000)
