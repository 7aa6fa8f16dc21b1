import { envelopeProtocol } from '@manc/contract'
import { MetricsStore } from '@manc/harness/metrics-store'
import { expect } from 'vitest'
import { test as base, type JobsEnvironment } from '../jobs/environment.ts'

const it = base.override('variables', {
  MANC_USER_OPEN_JOBS: '5000',
  MANC_MAILBOX_BYTES: '300000',
  MANC_MAILBOXES_BYTES: '4000000000',
})
const soon = { timeout: 200_000, interval: 100 }
const jobs = 500

let environment: JobsEnvironment
let history: string
it.beforeAll(async ({ environment: own }) => {
  environment = own
  await environment.request('POST', '/api/v1/agents/', { ap_id: 'busy', password: 'p', configuration: {} })
  const start = Date.now() - 1_800_000
  const metrics = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`metric_${n}`, n]))
  await new MetricsStore(environment.engines.victoria).write(
    'busy',
    // About 800 KB as a result: more than a mailbox holds.
    Array.from({ length: 1200 }, (_, n) => ({ at: start + n * 1000, metrics })),
  )
  await environment.sql(`update agents set created_at = now() - interval '1 day'`)
  const times = [start - 1000, Date.now()].map((ms) => new Date(ms).toISOString())
  history = `/api/v1/agent_data/request_agent_data?agent_id=busy&start_time=${times[0]}&end_time=${times[1]}`
})

async function secondsToComplete(token: string): Promise<number> {
  const startedAt = Date.now()
  const number = await environment.requestJob(history, token)
  const client = await environment.connect(number, { token, protocols: [envelopeProtocol] })
  client.socket.on('message', (data) => client.acknowledge(JSON.parse((data as Buffer).toString()).seq))
  expect(await client.closed).toMatchObject({ code: 1000 })
  expect(client.messages.flatMap(({ data }) => data)).toHaveLength(12_000)
  return (Date.now() - startedAt) / 1000
}

it(`${jobs} history jobs of callers who never connect do not delay the job of another`, async () => {
  const other = await environment.createUser('other@worker.test')
  const hoarders: string[] = []
  for (const name of ['first', 'second', 'third'])
    hoarders.push(await environment.createUser(`${name}@worker.test`))
  const alone = await secondsToComplete(other)
  let [created, accepted] = [0, 0]
  const create = async () => {
    while (created++ < jobs)
      if ((await environment.request('POST', history, undefined, hoarders[created % 3])).status === 200)
        accepted += 1
  }
  await Promise.all(Array.from({ length: 8 }, create))
  const beside = await secondsToComplete(other)
  // Also when each of these jobs waits for its reader.
  const idle = async () => {
    const [row] = await environment.sql(
      `select count(*)::int as jobs from jobs where state = 'queued' or (state = 'running' and reader_waits = 0)`,
    )
    return row.jobs
  }
  await expect.poll(idle, soon).toBe(0)
  const besideWaiting = await secondsToComplete(other)
  process.stdout.write(`report ${JSON.stringify({ accepted, alone, beside, besideWaiting })}\n`)
  // Tolerant of a busy machine: without turns it took minutes.
  expect(beside).toBeLessThan(alone * 2 + 20)
  expect(besideWaiting).toBeLessThan(alone * 2 + 20)
}, 300_000)
