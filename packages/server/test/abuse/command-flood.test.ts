import { call, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'

const perHour = 100
const it = test.override('variables', { MANC_COMMANDS_PER_HOUR: String(perHour) })

it('an app that sends commands to many agents without end gets 429, and the commands of a user are accepted', async ({
  environment,
}) => {
  const app = { app_name: uniqueName('flood'), api_key: 'a-key-of-the-test', permissions: {} }
  await environment.request('POST', '/api/v1/third_party_apps/', app)
  const token = await tokenOf(environment.url, 'third_party_app', app.app_name, app.api_key)
  const apIds = Array.from({ length: 30 }, () => uniqueName('flooded'))
  for (const ap_id of apIds)
    await environment.request('POST', '/api/v1/agents/', { ap_id, password: 'p', configuration: {} })

  const flood = { command: 'status', agents: apIds }
  const answers = []
  for (let n = 0; n < 10; n++)
    answers.push(await call(environment.url, 'POST', '/api/v1/commands', { token, body: flood }))
  const [{ count }] = await environment.sql(
    'select count(*)::int as count from commands where ap_id = any($1)',
    [apIds],
  )

  expect(count, 'rows of commands').toBeLessThanOrEqual(perHour)
  expect(answers.map(({ status }) => status)).toEqual([
    200,
    200,
    200,
    ...Array.from({ length: 7 }, () => 429),
  ])
  expect(answers.at(-1)?.body.detail).toContain('to fewer agents')
  // 20 of 30 are missing: 100 in an hour are one every 36 s.
  const retryAfterS = Number(answers.at(-1)?.headers.get('retry-after'))
  expect(retryAfterS).toBeGreaterThan(600)
  expect(retryAfterS).toBeLessThanOrEqual(720)

  const one = `/api/v1/send_command?agent_id=${apIds[0]}&command=status`
  expect((await environment.request('POST', one)).status).toBe(200)
})
