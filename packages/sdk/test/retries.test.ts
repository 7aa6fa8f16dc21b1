import { admin, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { Manc, Unavailable } from '@manc/sdk'
import { expect } from 'vitest'
import { OverloadedGateway } from './overloaded-gateway.ts'

/** Does the work with a client whose requests go through a gateway. */
async function behindGateway<T>(
  target: string,
  isLost: (route: string) => boolean,
  work: (manc: Manc, gateway: OverloadedGateway) => Promise<T>,
): Promise<T> {
  const gateway = new OverloadedGateway(target, isLost)
  const manc = new Manc({ url: await gateway.start(), credentials: admin })
  try {
    return await work(manc, gateway)
  } finally {
    gateway.stop()
  }
}

/** Selects the first `times` requests of a route. */
function firstOf(route: string, times: number): (route: string) => boolean {
  let left = times
  return (each) => each === route && left-- > 0
}

it('a POST without an idempotency key reaches the server once, although it was answered with 503', async ({
  environment,
}) => {
  const route = 'POST /api/v1/agents/'
  const agent = { ap_id: uniqueName('once'), password: 'p', configuration: {} }
  await behindGateway(environment.url, firstOf(route, 1), async (manc, gateway) => {
    await expect(manc.agents.register(agent)).rejects.toBeInstanceOf(Unavailable)
    expect(gateway.count(route)).toBe(1)
    expect((await manc.agents.get(agent.ap_id)).ap_id).toBe(agent.ap_id)
  })
})

it('a DELETE reaches the server once, although it was answered with 503', async ({ environment }) => {
  const apId = uniqueName('removed')
  await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
  const route = `DELETE /api/v1/agents/${apId}`
  await behindGateway(environment.url, firstOf(route, 1), async (manc, gateway) => {
    await expect(manc.agents.remove(apId)).rejects.toBeInstanceOf(Unavailable)
    expect(gateway.count(route)).toBe(1)
  })
})

it('a POST with an idempotency key is repeated after 503, and makes one job', async ({ environment }) => {
  const apId = uniqueName('repeated')
  await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
  const route = 'POST /api/v1/send_command'
  await behindGateway(environment.url, firstOf(route, 1), async (manc, gateway) => {
    await manc.commands.send(apId, 'reboot')
    expect(gateway.count(route)).toBe(2)
  })
  const jobs = await environment.sql('select job_number from commands where ap_id = $1', [apId])
  expect(jobs).toHaveLength(1)
})

it('a request that is answered with 503 for a second is sent at most four times in that second', async ({
  environment,
}) => {
  const route = 'GET /api/v1/users/me'
  let lostUntil: number | undefined
  let lost = 0
  const isLost = (each: string) => {
    if (each !== route) return false
    lostUntil ??= performance.now() + 1000
    if (performance.now() >= lostUntil) return false
    lost += 1
    return true
  }
  await behindGateway(environment.url, isLost, async (manc) => {
    expect((await manc.users.me()).username).toBe(admin.username)
  })
  expect(lost).toBeGreaterThan(0)
  // The shortest pauses are 125, 250, 500 and 1000 ms.
  expect(lost).toBeLessThanOrEqual(4)
})
