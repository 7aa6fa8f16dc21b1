import { call, uniqueName } from '@manc/harness'
import { test as base } from '@manc/harness/fixture'
import { expect } from 'vitest'

const it = base.override('variables', { MANC_RECOVERIES_PER_MINUTE: '10' })

it('an address without an account cannot fill the table of password recoveries', async ({ environment }) => {
  const post = (path: string, body: unknown) =>
    call(environment.url, 'POST', `/api/v1/users/${path}`, { body })
  const replies = await Promise.all(
    Array.from({ length: 40 }, () =>
      post('password-recovery', { username: `${uniqueName('x')}@abuse.test` }),
    ),
  )
  const refused = replies.filter(({ status }) => status === 429)
  expect([replies.filter(({ status }) => status === 200).length, refused.length]).toEqual([10, 30])
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  const [{ count }] = await environment.sql('select count(*)::int as count from password_recoveries')
  expect(count).toBe(10)
  // What the address may do otherwise is not affected.
  const { status } = await post('signup', {
    username: `${uniqueName('new')}@abuse.test`,
    password: 'password-1',
  })
  expect(status).toBe(200)
})
