import type { FleetTrends } from '@manc/contract'
import { call, tokenOf, uniqueName } from '@manc/harness'
import { expect, vi } from 'vitest'
import { test as it, type MetricsEnvironment } from '../telemetry/environment.ts'

let environment: MetricsEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

async function trends(token = environment.adminToken, emulated?: string): Promise<FleetTrends> {
  const query = emulated === undefined ? '' : `?emulated=${emulated}`
  const { status, body } = await call(environment.url, 'GET', `/api/v1/fleet/trends${query}`, { token })
  expect(status).toBe(200)
  return body
}

const ofTechnology = ({ technologies }: FleetTrends, name: string) =>
  technologies.find(({ technology }) => technology === name)

/** The newest value of a list; the minute may end during the test. */
const newest = (list: readonly (number | null)[] = []) => list.findLast((value) => value !== null)

const sql = (text: string, values: unknown[] = []) => environment.sql(text, values)

it('the counts and sums of each minute are recorded, by technology', async () => {
  await sql('delete from agents')
  const values = [
    ['WiFi', { clients: 3, throughput_mbps: 10.5, power_w: 8 }],
    ['WiFi', { clients: 4, throughput_mbps: 20 }],
    ['LiFi', { clients: 1 }],
  ] as const
  const apIds = values.map(() => uniqueName('trend'))
  for (const [n, [technology]] of values.entries())
    await environment.post('/api/v1/agents/', {
      ap_id: apIds[n],
      password: 'p',
      configuration: { technology },
    })
  const recorded = await vi.waitFor(
    async () => {
      for (const [n, [, metrics]] of values.entries())
        await environment.store.write(apIds[n] ?? '', [{ at: Date.now(), metrics }])
      const seen = await trends()
      const clients = ['WiFi', 'LiFi'].map((name) => newest(ofTechnology(seen, name)?.clients))
      // Recorded before the agents were registered or had sent: it is recorded again.
      if (clients.join() !== '7,1') await sql('delete from fleet_trends')
      expect(clients).toEqual([7, 1])
      return seen
    },
    { timeout: 150_000, interval: 1000 },
  )
  expect(recorded.step_s).toBe(60)
  expect(recorded.clients).toHaveLength(60)
  expect(newest(recorded.clients)).toBe(8)
  const wifi = ofTechnology(recorded, 'WiFi')
  expect(newest(wifi?.throughput_mbps)).toBe(30.5)
  expect(newest(wifi?.power_w)).toBe(8)
  // They have sent nothing to the controller, which therefore calls them offline.
  expect(newest(wifi?.offline)).toBe(2)
  expect(newest(wifi?.online)).toBe(0)
  expect(newest(ofTechnology(recorded, 'LiFi')?.power_w)).toBeUndefined()
  expect(ofTechnology(recorded, '5G')?.clients.every((value) => value === null)).toBe(true)
}, 180_000)

it('each value has its minute, and older ones are left out', async () => {
  await sql('delete from fleet_trends')
  const row =
    'insert into fleet_trends values (date_trunc($1, now()) - $2::interval, $3, null, 5, 1, 2, 3, $4, null, null)'
  await sql(row, ['minute', '10 minutes', '5G', 40])
  await sql(row, ['minute', '10 minutes', 'other', 2])
  await sql(row, ['minute', '61 minutes', '5G', 99])
  const seen = await trends()
  const at = seen.clients.findIndex((value) => value !== null && value > 40)
  // 49, or 48 if a minute has begun in between.
  expect([48, 49]).toContain(at)
  expect(seen.clients[at]).toBe(42)
  expect(ofTechnology(seen, '5G')?.clients[at]).toBe(40)
  expect([seen.online[at], seen.degraded[at], seen.bad[at], seen.offline[at]]).toEqual([10, 2, 4, 6])
  expect(seen.clients).not.toContain(99)
})

it('emulated agents of others are left out unless they are asked for', async () => {
  const user = { username: `${uniqueName('viewer')}@manc.test`, password: 'a-password' }
  await environment.post('/api/v1/users/', { ...user, roles: ['user'] })
  const token = await tokenOf(environment.url, 'user', user.username, user.password)
  const [{ id }] = await sql('select id from users where username = $1', [user.username])
  await sql('delete from fleet_trends')
  await sql(
    `insert into fleet_trends select date_trunc('minute', now()) - interval '5 minutes', 'LiFi', $1, 1, 0, 0, 0, 100, null, null`,
    [id],
  )
  const hasEmulated = (seen: FleetTrends) => seen.clients.includes(100)
  expect(hasEmulated(await trends(token))).toBe(true)
  expect(hasEmulated(await trends(token, 'none'))).toBe(false)
  expect(hasEmulated(await trends())).toBe(false)
  expect(hasEmulated(await trends(environment.adminToken, 'all'))).toBe(true)
})
