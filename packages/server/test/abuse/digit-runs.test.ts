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

/**
 * The shortest of several attempts: other load on the machine only makes single attempts slower. The bodies take turns, so that
 * what lasts longer makes all of them slower.
 */
async function shortestMs(url: string, bodies: readonly string[]): Promise<number[]> {
  const shortest = bodies.map(() => Number.POSITIVE_INFINITY)
  for (let n = 0; n < attempts; n++)
    for (const [index, body] of bodies.entries()) {
      const startedAt = performance.now()
      const { status } = await call(url, 'POST', '/api/v1/users/password-recovery', { body })
      shortest[index] = Math.min(shortest[index] ?? 0, performance.now() - startedAt)
      expect([200, 429]).toContain(status)
    }
  return shortest
}

it('a megabyte of 308-digit numbers without a login blocks the server no longer than other numbers', async ({
  environment,
}) => {
  const bodies = [bodyOf('123456789012'), bodyOf('9'.repeat(308))]
  const [ordinary = 0, digits = 0] = await shortestMs(environment.url, bodies)
  expect(digits / ordinary).toBeLessThan(5)
})
