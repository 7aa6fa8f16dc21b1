import { performance } from 'node:perf_hooks'
import { call, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'

const bytes = 1_000_000
const attempts = 5

/** A body of password recovery that is refused only after it has been parsed. */
function bodyOf(item: string): string {
  const items = Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item)
  return `{"username": "${uniqueName('unknown')}@example.test", "more": [${items.join(',')}]}`
}

/** The shortest of several attempts: other load on the machine only makes single attempts slower. */
async function shortestMs(url: string, body: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < attempts; n++) {
    const startedAt = performance.now()
    const { status } = await call(url, 'POST', '/api/v1/users/password-recovery', { body })
    times.push(performance.now() - startedAt)
    expect([200, 429]).toContain(status)
  }
  return Math.min(...times)
}

it('a megabyte of 308-digit numbers without a login blocks the server no longer than other numbers', async ({
  environment,
}) => {
  const ordinary = await shortestMs(environment.url, bodyOf('123456789012'))
  const digits = await shortestMs(environment.url, bodyOf('9'.repeat(308)))
  expect(digits / ordinary).toBeLessThan(5)
})
