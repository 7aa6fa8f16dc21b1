import type { TestEnvironment } from '@manc/harness'

/** For tests that expect a wait: the first one is a second, which is too short on a slow machine. */
export async function makeLoginWaitsLong(environment: Pick<TestEnvironment, 'sql'>): Promise<void> {
  await environment.sql(
    `update login_failures set blocked_until = now() + interval '1 hour' where blocked_until > counted_at`,
  )
}
