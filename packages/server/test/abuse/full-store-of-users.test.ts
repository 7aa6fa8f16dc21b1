import { envelopeProtocol } from '@manc/contract'
import { call, tokenOf, uniqueName } from '@manc/harness'
import { expect } from 'vitest'
import { test as base, type JobsEnvironment } from '../jobs/environment.ts'

const maxBytes = 24_000_000
const unreadBytes = 10_000_000
const it = base.override('variables', {
  MANC_MAILBOXES_BYTES: String(maxBytes),
  // Jobs of users are told from those of others also where both have the same limit.
  MANC_USER_UNREAD_BYTES: String(unreadBytes),
  MANC_UNREAD_BYTES: String(unreadBytes),
})
const soon = { timeout: 60_000, interval: 200 }
const details = '/api/v1/agent_details/request_all_agents_details'
const agents = 3000
const accounts = 9

let environment: JobsEnvironment
it.beforeAll(async ({ environment: own }) => {
  environment = own
  // Results of about 1.8 MB each: those of seven accounts are more than users may have.
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
  Number((await metricsOf(replica)).match(/^manc_user_results_bytes (\S+)/m)?.[1] ?? 0)

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
    'select coalesce(sum(waiting_bytes), 0)::float8 as bytes from jobs where owner_unread_limit = $1',
    [unreadBytes],
  )
  await expect.poll(async () => [await measured(0), await measured(1)], soon).toEqual([bytes, bytes])
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
    const token = await signUp(`${uniqueName('signed-up')}@abuse.test`)
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
  expect(statuses.user).toEqual([429, 429])
  expect(stored).toBeLessThan(maxBytes * 0.75)
  // Jobs of users wait, and none fails.
  expect(jobs.every(({ state }) => state === 'succeeded' || state === 'running')).toBe(true)
  expect(jobs.at(-1)).toEqual({ state: 'running', bytes: 0, isWaiting: true })
  expect(await metricsOf(0)).toMatch(/limit="MANC_MAILBOXES_BYTES"} [1-9]/)
  // The job of an operator is not delayed.
  const operator = {
    username: `${uniqueName('operator')}@abuse.test`,
    password: 'a-password',
    roles: ['operator'],
  }
  await environment.request('POST', '/api/v1/users/', operator)
  const operatorToken = await tokenOf(environment.url, 'user', operator.username, operator.password)
  await readAll(await environment.requestJob(details, operatorToken), operatorToken)
  // A user who reads gets everything, although there is no space for results that wait: each that was acknowledged is there.
  for (const { number, token } of owned.toReversed()) await readAll(number, token)
}, 300_000)
