import { envelopeProtocol } from '@manc/contract'
import { call, tokenOf } from '@manc/harness'
import { expect } from 'vitest'
import { test as base, type JobsEnvironment } from '../jobs/environment.ts'

const unreadBytes = 1_000_000
/** Each of the posts at the same time may exceed the limit: of at most 10 jobs, with at most 256 KiB. */
const overshoot = 10 * 262_144
const openJobs = 12
const openJobsOfOperator = 20
const it = base.override('variables', {
  MANC_USER_UNREAD_BYTES: String(unreadBytes),
  MANC_USER_OPEN_JOBS: String(openJobs),
  MANC_OPEN_JOBS: String(openJobsOfOperator),
})
const soon = { timeout: 60_000, interval: 50 }
const details = '/api/v1/agent_details/request_all_agents_details'
const agents = 2000

let environment: JobsEnvironment
it.beforeAll(async ({ environment: own }) => {
  environment = own
  // Results of about 1.2 MB, in chunks of 256 KiB.
  await environment.sql(`insert into agents (id, ap_id, password_hash, configuration)
    select gen_random_uuid(), 'u-' || n, 'x', json_build_object('note', repeat('x', 450)) from generate_series(1, ${agents}) as n`)
})

const unreadOf = async (username: string) => {
  const [row] = await environment.sql(
    `select coalesce(sum(waiting_bytes), 0)::float8 as bytes, count(*)::int as jobs,
       count(*) filter (where state = 'succeeded')::int as ended,
       count(*) filter (where state = 'running' and lease is null and work_after > now())::int as waiting
     from jobs where owner = (select id from users where username = $1)`,
    [username],
  )
  return row
}

const reached = async () =>
  (await call(environment.server.internalUrl, 'GET', '/metrics')).body
    .match(/^manc_limit_reached_total.*$/gm)
    .join('\n')

it('a caller who never reads cannot fill the mailboxes, and gets every result later', async () => {
  const token = await environment.createUser('hoarder@abuse.test')
  const numbers: string[] = []
  for (let n = 0; n < 10; n++) numbers.push(await environment.requestJob(details, token))
  // Every job has ended or waits.
  await expect
    .poll(async () => {
      const { ended, waiting } = await unreadOf('hoarder@abuse.test')
      return ended + waiting
    }, soon)
    .toBe(10)
  const stored = await unreadOf('hoarder@abuse.test')
  process.stdout.write(`report ${JSON.stringify({ attack: 'never reads', ...stored })}\n`)
  expect(await reached()).toMatch(/limit="MANC_USER_UNREAD_BYTES"} [1-9]/)
  expect(stored.bytes).toBeLessThanOrEqual(unreadBytes + overshoot)
  for (const number of numbers) {
    const client = await environment.connect(number, { token, protocols: [envelopeProtocol] })
    client.socket.on('message', (data) => client.acknowledge(JSON.parse((data as Buffer).toString()).seq))
    expect(await client.closed).toMatchObject({ code: 1000 })
    expect(client.messages.flatMap(({ data }) => data)).toHaveLength(agents)
  }
  expect((await unreadOf('hoarder@abuse.test')).bytes).toBe(0)
}, 120_000)

it('a caller cannot open jobs without end, and can again after reading a result', async () => {
  const token = await environment.createUser('opener@abuse.test')
  const answers = []
  for (let n = 0; n < openJobs + 5; n++)
    answers.push(await environment.request('POST', details, undefined, token))
  const accepted = answers.filter(({ status }) => status === 200)
  process.stdout.write(`report ${JSON.stringify({ attack: 'opens jobs', accepted: accepted.length })}\n`)
  expect(accepted).toHaveLength(openJobs)
  const refused = answers.at(-1)
  expect(refused?.status).toBe(429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused?.body.detail).toContain('Read')
  // Another caller is not affected.
  expect((await environment.request('POST', details)).status).toBe(200)
  const client = await environment.connect(accepted[0]?.body.job_number, {
    token,
    protocols: [envelopeProtocol],
  })
  client.socket.on('message', (data) => client.acknowledge(JSON.parse((data as Buffer).toString()).seq))
  await client.closed
  expect((await environment.request('POST', details, undefined, token)).status).toBe(200)
}, 60_000)

it('an operator may have more open jobs than a standard user, but not without end', async () => {
  const [username, password] = ['operator@abuse.test', 'a-password']
  await environment.request('POST', '/api/v1/users/', { username, password, roles: ['operator'] })
  const token = await tokenOf(environment.url, 'user', username, password)
  const statuses: number[] = []
  for (let n = 0; n <= openJobsOfOperator; n++)
    statuses.push((await environment.request('POST', details, undefined, token)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(openJobsOfOperator)
  expect(statuses.at(-1)).toBe(429)
  expect(await reached()).toMatch(/limit="MANC_OPEN_JOBS"} 1$/m)
}, 60_000)
