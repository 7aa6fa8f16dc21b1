import { call, type ServerProcess, startServerProcess } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'

const it = test.override('withServer', false)
const requests = 500
let server: ServerProcess

it.beforeAll(async ({ environment }) => {
  server = await startServerProcess({ ...environment.variables, MANC_LOG_LEVEL: 'info' })
})

afterAll(() => server.stop())

it('of many requests that are refused only some are logged, and all are counted', async () => {
  const before = server.output().length
  for (let n = 0; n < requests; n++)
    await call(server.url, 'GET', '/api/v1/users/', { token: `no.such.token-${n}` })
  const counted = async () => {
    const text = await (await fetch(`${server.internalUrl}/metrics`)).text()
    return [...text.matchAll(/^manc_http_request_duration_seconds_count\{.*status="4\d\d".*\} (\d+)$/gm)]
      .map(([, count]) => Number(count))
      .reduce((all, count) => all + count, 0)
  }
  await expect.poll(counted, { timeout: 30_000 }).toBeGreaterThanOrEqual(requests)
  const logged =
    server
      .output()
      .slice(before)
      .match(/"msg":"request"/g) ?? []
  // A run may cross a minute.
  expect(logged.length).toBeGreaterThanOrEqual(20)
  expect(logged.length).toBeLessThanOrEqual(60)
}, 60_000)
