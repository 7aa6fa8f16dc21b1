import { call, type TestEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { expect } from 'vitest'

const day = 'start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z'
/** What the interface names as the purpose of applications. */
const requestsFor = (apId: string): [method: string, route: string][] => [
  ['GET', `/agents/${apId}`],
  ['POST', '/agent_details/request_all_agents_details'],
  ['POST', `/agent_data/request_agent_data?agent_id=${apId}&${day}`],
  ['GET', `/metrics/agent_data?agent=${apId}`],
  ['POST', `/send_command?agent_id=${apId}&command=reboot`],
]

async function statusesWith(environment: TestEnvironment, permissions: object, variables = {}) {
  // An app holds an agent that it has sent a command to.
  const apId = uniqueName('default')
  await environment.request('POST', '/api/v1/agents/', { ap_id: apId, password: 'p', configuration: {} })
  const { url } = Object.keys(variables).length === 0 ? environment : await environment.startServer(variables)
  const name = uniqueName('app')
  await environment.request('POST', '/api/v1/third_party_apps/', {
    app_name: name,
    api_key: 'k',
    permissions,
  })
  const token = await tokenOf(url, 'third_party_app', name, 'k')
  const responses = await Promise.all(
    requestsFor(apId).map(([method, route]) => call(url, method, `/api/v1${route}`, { token })),
  )
  return responses.map(({ status }) => status)
}

test('an app with empty permissions reads details and history, and sends commands', async ({
  environment,
}) => {
  expect(await statusesWith(environment, {})).toEqual([200, 200, 200, 200, 200])
})

test('with MANC_APP_DEFAULT=none an app with empty permissions may do nothing', async ({ environment }) => {
  expect(await statusesWith(environment, {}, { MANC_APP_DEFAULT: 'none' })).toEqual([403, 403, 403, 403, 403])
})

test('with MANC_APP_DEFAULT=none an app may do what its permissions name', async ({ environment }) => {
  const permissions = { 'history:read': true, send_command: true }
  expect(await statusesWith(environment, permissions, { MANC_APP_DEFAULT: 'none' })).toEqual([
    403, 403, 200, 403, 200,
  ])
})

test('the list of apps shows the scopes that the permissions of each result in', async ({ environment }) => {
  const name = uniqueName('app')
  const app = { app_name: name, api_key: 'k', permissions: { 'commands:send': false } }
  await environment.request('POST', '/api/v1/third_party_apps/', app)
  const { body } = await environment.request('GET', '/api/v1/third_party_apps/')
  expect(body.find(({ app_name }: { app_name: string }) => app_name === name)).toMatchObject({
    scopes: ['agents:read', 'metrics:read', 'history:read', 'emulator:spinup'],
  })
  const { url } = await environment.startServer({ MANC_APP_DEFAULT: 'none' })
  const closed = await call(url, 'GET', '/api/v1/third_party_apps/', { token: environment.adminToken })
  expect(closed.body.find(({ app_name }: { app_name: string }) => app_name === name)).toMatchObject({
    scopes: [],
  })
})
