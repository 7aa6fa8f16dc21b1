import { call, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'

// A busy replica accepts a hundredth of the hourly limit at once.
const it = test.override('variables', { MANC_WAITING_COMMANDS: '1000', MANC_COMMANDS_PER_HOUR: '1000000' })
const agents = 300
const bulkCommands = 20

it('the commands that one app sends to a whole fleet do not delay the command of a user', async ({
  environment,
}) => {
  const app = { app_name: uniqueName('burst'), api_key: 'a-key-of-the-test', permissions: {} }
  await environment.request('POST', '/api/v1/third_party_apps/', app)
  const token = await tokenOf(environment.url, 'third_party_app', app.app_name, app.api_key)
  const prefix = uniqueName('burst')
  // As registered agents. Each password would be hashed.
  await environment.sql(
    `insert into agents (id, ap_id, password_hash, configuration)
     select gen_random_uuid(), $1 || n, '', '{}' from generate_series(1, $2::int) as n`,
    [`${prefix}-`, agents],
  )
  const own = `${prefix}-own`
  await environment.request('POST', '/api/v1/agents/', { ap_id: own, password: 'p', configuration: {} })

  const body = { command: 'status', agents: Array.from({ length: agents }, (_, n) => `${prefix}-${n + 1}`) }
  for (let n = 0; n < bulkCommands; n++)
    expect((await call(environment.url, 'POST', '/api/v1/commands', { token, body })).status).toBe(200)
  // All of them wait for an attempt, before the command of the user.
  await environment.sql(
    `update commands set due_at = now() - interval '1 minute' where ap_id like $1 || '%'`,
    [prefix],
  )
  const sent = await environment.request('POST', `/api/v1/send_command?agent_id=${own}&command=status`)
  // Every attempt sets the time of the next one.
  const state = async () => {
    const [row] = await environment.sql(
      `select (select due_at > now() from commands where job_number = $1) as attempted,
         (select count(*)::int from commands where due_at < now() - interval '30 s') as waiting`,
      [sent.body.job_number],
    )
    return row as { attempted: boolean; waiting: number }
  }
  let waiting = 0
  const isAttempted = async () => {
    const { attempted, ...others } = await state()
    waiting = others.waiting
    return attempted
  }
  await expect.poll(isAttempted, { timeout: 60_000, interval: 20 }).toBe(true)
  expect(waiting, 'older commands of the app').toBeGreaterThan(1000)
})
