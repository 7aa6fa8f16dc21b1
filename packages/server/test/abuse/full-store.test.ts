import { envelopeProtocol } from '@manc/contract'
import { expect } from 'vitest'
import { test as base } from '../jobs/environment.ts'

const it = base.override('variables', { MANC_MAILBOXES_BYTES: '3000000' })
const soon = { timeout: 60_000, interval: 200 }
const details = '/api/v1/agent_details/request_all_agents_details'
const agents = 2000

it('callers who do not read cannot grow the mailboxes beyond their total size, and no result is lost', async ({
  environment,
}) => {
  // Results of about 1.2 MB each.
  await environment.sql(`insert into agents (id, ap_id, password_hash, configuration)
    select gen_random_uuid(), 'f-' || n, 'x', json_build_object('note', repeat('x', 450)) from generate_series(1, ${agents}) as n`)
  const readAll = async (number: string) => {
    const client = await environment.connect(number, { protocols: [envelopeProtocol] })
    client.socket.on('message', (data) => client.acknowledge(JSON.parse((data as Buffer).toString()).seq))
    expect(await client.closed).toMatchObject({ code: 1000 })
    expect(client.messages.flatMap(({ data }) => data)).toHaveLength(agents)
  }
  const unread: string[] = []
  for (let n = 0; n < 4; n++) unread.push(await environment.requestJob(details))
  const statuses = () =>
    Promise.all(
      ([0, 1] as const).map(
        async (replica) => (await environment.postResult('probe', [{}], { replica })).status,
      ),
    )
  await expect.poll(statuses, soon).toEqual([503, 503])
  const last = await environment.requestJob(details)
  const jobOf = async (number: string) => {
    const [job] = await environment.sql(
      `select state, waiting_bytes::int as bytes, reader_waits > 0 as "isWaiting" from jobs where job_number = $1`,
      [number],
    )
    return job
  }
  await expect.poll(() => jobOf(last), soon).toEqual({ state: 'running', bytes: 0, isWaiting: true })
  // The size is the one on disk: reading alone does not reduce it.
  for (const number of unread) if ((await jobOf(number)).state === 'succeeded') await readAll(number)
  const statusesAfterVacuum = async () => {
    // Again, because it keeps what a transaction of another process could still read.
    await environment.sql('vacuum full mailbox')
    return statuses()
  }
  await expect.poll(statusesAfterVacuum, { ...soon, interval: 1000 }).toEqual([200, 200])
  await readAll(last)
}, 240_000)
