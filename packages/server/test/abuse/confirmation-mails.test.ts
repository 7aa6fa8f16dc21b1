import { call, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { startMailInbox } from '@manc/harness/mail-inbox'
import { afterAll, expect } from 'vitest'

const inbox = await startMailInbox()
const it = test.override('variables', {
  MANC_SIGNUP: 'confirmed',
  MANC_SMTP_URL: inbox.url,
  MANC_CONFIRMATIONS_PER_HOUR: '3',
})
afterAll(() => inbox.stop())

it('an address cannot make the controller send e-mails to any number of strangers', async ({
  environment,
}) => {
  const strangers = Array.from({ length: 8 }, () => `${uniqueName('stranger')}@example.test`)
  const responses = []
  for (const username of strangers)
    responses.push(
      await call(environment.url, 'POST', '/api/v1/users/signup', {
        body: { username, password: 'a-password' },
      }),
    )
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429, 429, 429, 429])
  expect(Number(responses[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
  for (const username of strangers.slice(0, 3)) await inbox.confirmationTokenFor(username)
  // The others are not in the queue of e-mails.
  const queued = await environment.sql('select 1 from password_recoveries where username_key = any($1)', [
    strangers.slice(3),
  ])
  expect(queued).toEqual([])
})
