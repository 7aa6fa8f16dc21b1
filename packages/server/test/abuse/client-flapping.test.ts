import { type TestEnvironment, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'
import { publish } from '../clients/publish.ts'

// A tenth of it for each agent: 4.
const it = test.override('variables', { MANC_CLIENT_EVENTS_PER_MINUTE: '40' })
const soon = { timeout: 30_000, interval: 100 }
const flapping = 200

async function register(environment: TestEnvironment): Promise<string> {
  const apId = uniqueName('flapping')
  const body = { ap_id: apId, password: 'p', configuration: { technology: 'WiFi' } }
  expect((await environment.request('POST', '/api/v1/agents/', body)).status).toBe(200)
  return apId
}

async function attached(environment: TestEnvironment, apId: string): Promise<number> {
  const [row] = await environment.sql('select clients from client_access_points where ap_id = $1', [apId])
  return row?.clients ?? 0
}

/** Reports new clients, and then that all have lost their connection. */
async function loseClients(environment: TestEnvironment, apId: string, count: number): Promise<void> {
  const clients = Array.from({ length: count }, () => uniqueName('device'))
  const since = new Date(Date.now() - 60_000).toISOString()
  const joined = clients.map((client) => ({ client, since, signal_dbm: -60 }))
  await publish(environment, apId, 'clients', { snapshot: true, joined })
  await expect.poll(() => attached(environment, apId), soon).toBe(count)
  const at = new Date().toISOString()
  const left = clients.map((client) => ({ client, at, reason: 'dropped' as const }))
  await publish(environment, apId, 'clients', { left })
  await expect.poll(() => attached(environment, apId), soon).toBe(0)
}

async function eventsOf(environment: TestEnvironment, apId: string): Promise<number> {
  const { body } = await environment.request('GET', `/api/v1/events?ap_id=${apId}&kind=dropped&limit=1000`)
  return body.length
}

it('one agent with flapping clients does not suppress the events about the clients of others', async ({
  environment,
}) => {
  const [attacker, other] = [await register(environment), await register(environment)]
  await loseClients(environment, attacker, flapping)
  await loseClients(environment, other, 1)
  await expect.poll(() => eventsOf(environment, other), soon).toBe(1)
  // Its share, in the one or two minutes of the test.
  expect([4, 8]).toContain(await eventsOf(environment, attacker))
})
