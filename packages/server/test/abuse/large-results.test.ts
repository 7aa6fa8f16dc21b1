import { call, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'

it('an agent that answers commands with large results does not fill the database', async ({
  environment,
}) => {
  const name = uniqueName('talkative')
  await environment.request('POST', '/api/v1/agents/', { ap_id: name, password: 'p', configuration: {} })
  const token = await tokenOf(environment.url, 'agent', name, 'p')
  const update = (body: unknown) =>
    call(environment.url, 'POST', '/api/v1/agent_update/update', { token, body })
  const sent = await environment.request('POST', `/api/v1/send_command?agent_id=${name}&command=status`)
  const jobNumber = sent.body.job_number as string
  await expect.poll(async () => (await update({})).body.commands.length).toBe(1)
  const result = { text: 'x'.repeat(500_000) }
  for (const state of ['delivered', 'succeeded'])
    expect((await update({ results: [{ id: jobNumber, state, result }] })).status).toBe(200)

  const [stored] = await environment.sql(
    `select state, octet_length(result) as result, detail,
       (select sum(octet_length(data))::int from mailbox where mailbox.job_number = commands.job_number) as mailbox
     from commands where job_number = $1`,
    [jobNumber],
  )
  process.stdout.write(`result ${stored.result} bytes, mailbox ${stored.mailbox} bytes\n`)
  expect(stored).toMatchObject({ state: 'succeeded', result: null })
  expect(stored.detail).toBe(
    'The result was not stored: it has 500011 bytes, and 65536 are allowed. Report less, or raise MANC_COMMAND_RESULT_BYTES.',
  )
  expect(stored.mailbox).toBeLessThan(2000)
})

it('a result within the limit is stored as it is', async ({ environment }) => {
  const name = uniqueName('brief')
  await environment.request('POST', '/api/v1/agents/', { ap_id: name, password: 'p', configuration: {} })
  const token = await tokenOf(environment.url, 'agent', name, 'p')
  const { body } = await environment.request('POST', `/api/v1/send_command?agent_id=${name}&command=status`)
  const result = 'x'.repeat(65_534)
  const report = { results: [{ id: body.job_number, state: 'succeeded', result, detail: 'done' }] }
  await call(environment.url, 'POST', '/api/v1/agent_update/update', { token, body: report })
  const [stored] = await environment.sql('select result, detail from commands where job_number = $1', [
    body.job_number,
  ])
  expect(stored).toEqual({ result: JSON.stringify(result), detail: 'done' })
})
