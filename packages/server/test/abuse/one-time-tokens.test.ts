import { call, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'

const it = test.override('variables', { MANC_RATE_ANONYMOUS_PER_MINUTE: '30' })

it('guessed enrolment and setup tokens are refused by the rate limit before the database is asked', async ({
  environment,
}) => {
  const statuses: number[] = []
  for (const prefix of ['enrol_', 'setup_'])
    for (let n = 0; n < 20; n++) {
      const token = `${prefix}${uniqueName('guess')}`
      statuses.push(
        (await call(environment.url, 'POST', '/api/v1/agents/public', { token, body: {} })).status,
      )
    }
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(30)
  expect(statuses.at(-1)).toBe(429)
})
