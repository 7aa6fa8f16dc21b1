import { envelopeProtocol } from '@manc/contract'
import { uniqueName } from '@manc/harness'
import { expect } from 'vitest'
import { test as it, type JobsEnvironment } from './environment.ts'

let environment: JobsEnvironment
it.beforeAll(({ environment: own }) => {
  environment = own
})

const cancel = (jobNumber: string, token = environment.adminToken) =>
  environment.request('POST', `/api/v1/jobs/${jobNumber}/cancel`, undefined, token)
const jobOf = async (jobNumber: string) =>
  (await environment.request('GET', `/api/v1/jobs/${jobNumber}?include=request`)).body

/** Agents that never connect. */
async function createAgents(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uniqueName('cancel'))
  for (const id of ids)
    await environment.request('POST', '/api/v1/agents/', {
      ap_id: id,
      password: 'a-password',
      configuration: { technology: 'LiFi' },
    })
  return ids
}

/** A request for details as a worker leaves it: paused until results are read. */
const insertWaiting = (jobNumber: string) =>
  environment.sql(
    `insert into jobs (job_number, kind, owner, state, request, ends_by, work_after)
     select $1, 'agent_details', id, 'running', '{}', now() + interval '1 hour', now() + interval '1 hour'
     from users where username = 'admin@manc.test'`,
    [jobNumber],
  )

it('a command that was not delivered is cancelled, and its caller is told', async () => {
  const [apId = ''] = await createAgents(1)
  const number = await environment.requestJob(`/api/v1/send_command?agent_id=${apId}&command=reboot`)
  expect(await jobOf(number)).toMatchObject({ title: `reboot → ${apId}`, agent_id: apId, state: 'queued' })
  expect((await cancel(number)).body).toMatchObject({ status: 'success' })
  expect(await jobOf(number)).toMatchObject({
    state: 'skipped',
    cancelled: true,
    ended_at: expect.any(String),
  })
  const client = await environment.connect(number, { protocols: [envelopeProtocol] })
  await expect.poll(() => client.messages.at(-1)).toMatchObject({ final: true, data: [{ state: 'skipped' }] })
  // Again.
  expect((await cancel(number)).status).toBe(200)
  const entries = await environment.sql(`select 1 from audit where action = 'job.cancel' and target = $1`, [
    number,
  ])
  expect(entries).toHaveLength(1)
})

it('a bulk command is cancelled for the agents that did not receive it, and then ends', async () => {
  const ids = await createAgents(3)
  const { body } = await environment.request('POST', '/api/v1/commands', {
    command: 'set_power 41',
    agents: ids,
  })
  const number = body.job_number
  expect(await jobOf(number)).toMatchObject({
    title: 'set_power 41 → 3 access points',
    request: { command: 'set_power 41', agents: ids },
  })
  // One of them has received it.
  await environment.sql(
    `update commands set state = 'delivered', due_at = now() + interval '1 hour'
    where parent = $1 and ap_id = $2`,
    [number, ids[0]],
  )
  expect((await cancel(number)).body.detail).toContain('2 commands are cancelled')
  await environment.sql(`update commands set due_at = now() where parent = $1 and ap_id = $2`, [
    number,
    ids[0],
  ])
  await expect.poll(async () => (await jobOf(number)).state, { timeout: 60_000 }).toBe('succeeded')
  expect((await jobOf(number)).progress).toEqual({ skipped: 2, timed_out: 1 })
  const results = (await environment.request('GET', `/api/v1/jobs/${number}/results`)).body
  const outcomes = results
    .at(-1)
    .data.map((each: Record<string, unknown>) => [each['agent_id'], each['state']])
  expect(Object.fromEntries(outcomes)).toEqual({
    [ids[0] ?? '']: 'timed_out',
    [ids[1] ?? '']: 'skipped',
    [ids[2] ?? '']: 'skipped',
  })
  for (const outcome of results.at(-1).data) expect(outcome.ended_at).toMatch(/^\d{4}-/)
  expect((await jobOf(number)).cancelled).toBe(true)
})

it('the title of a bulk command names the technology', async () => {
  const [apId] = await createAgents(1)
  const { body } = await environment.request('POST', '/api/v1/commands', {
    command: 'reboot',
    agents: [apId],
    technology: 'LiFi',
  })
  expect((await jobOf(body.job_number)).title).toBe('reboot → 1 LiFi access point')
  await cancel(body.job_number)
})

it('a request for details is cancelled while it waits for its reader', async () => {
  const number = uniqueName('waiting')
  await insertWaiting(number)
  expect((await cancel(number)).status).toBe(200)
  expect(await jobOf(number)).toMatchObject({ state: 'failed', cancelled: true })
  const client = await environment.connect(number)
  // A client without envelopes gets no result, as with a job that has failed.
  expect(await client.closed).toMatchObject({ code: 1011 })
})

it('requests at the same time all cancel a job, which is recorded once', async () => {
  const [apId = ''] = await createAgents(1)
  const command = await environment.requestJob(`/api/v1/send_command?agent_id=${apId}&command=reboot`)
  const details = uniqueName('waiting')
  await insertWaiting(details)
  for (const number of [command, details]) {
    const answers = await Promise.all(Array.from({ length: 5 }, () => cancel(number)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const entries = await environment.sql(`select 1 from audit where action = 'job.cancel' and target = $1`, [
      number,
    ])
    expect(entries).toHaveLength(1)
  }
})

it('a mailbox, a job that has ended and the job of another caller are not cancelled', async () => {
  const box = uniqueName('box')
  await environment.postResult(box, [{ n: 1 }])
  expect((await cancel(box)).status).toBe(409)
  const number = await environment.requestJob('/api/v1/agent_details/request_all_agents_details')
  await expect.poll(async () => (await jobOf(number)).state).toBe('succeeded')
  expect((await cancel(number)).body.detail).toContain('has ended as succeeded')
  const other = await environment.createUser(`${uniqueName('other')}@cancel.test`)
  expect((await cancel(number, other)).status).toBe(404)
})
