import { once } from 'node:events'
import { call, tokenOf, uniqueName } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { MetricsStore } from '@manc/harness/metrics-store'
import { expect, inject } from 'vitest'
import WebSocket from 'ws'

const real = uniqueName('real')
const everything = [
  'agents:read',
  'metrics:read',
  'history:read',
  'commands:send',
  'emulator:spinup',
  'alarms:read',
  'alarms:write',
  'decisions:read',
  'decisions:write',
]
const app = { app_name: uniqueName('sandboxed'), api_key: 'k' }
const permissions = { scopes: everything, sandbox: true }
const soon = { timeout: 30_000, interval: 100 }

let url: string
let emulated: string[]
let token: string
let adminToken: string

it.beforeAll(async ({ environment }) => {
  url = environment.url
  adminToken = environment.adminToken
  const agent = { ap_id: real, password: 'p', configuration: { technology: 'WiFi' } }
  await environment.request('POST', '/api/v1/agents/', agent)
  const emulator = { access_point_type: 'WiFi', num_access_points: 2, num_devices: 1, duration: 60 }
  const body = { emulators: [{ ...emulator, locations: ['51.4545,-2.5879'] }] }
  emulated = (await environment.request('POST', '/api/v1/emulator/spinup', body)).body.agents
  expect(emulated).toHaveLength(2)
  await environment.request('POST', '/api/v1/third_party_apps/', { ...app, permissions })
  token = await tokenOf(url, 'third_party_app', app.app_name, app.api_key)
  const store = new MetricsStore(inject('engines').victoria)
  for (const apId of [real, ...emulated])
    await store.write(apId, [{ at: Date.now() - 5000, metrics: { clients: 5, load_pct: 10 } }])
})

const send = (method: string, route: string, body?: unknown, as = token) =>
  call(url, method, `/api/v1${route}`, { token: as, ...(body !== undefined && { body }) })

const period = () => {
  const [from, to] = [Date.now() - 60_000, Date.now()].map((ms) => new Date(ms).toISOString())
  return `start_time=${from}&end_time=${to}`
}

const decision = (apId: string, mode = 'advise') => ({
  policy: 'sandbox',
  mode,
  reason: 'a test',
  expected: [{ ap_id: apId, kpi: 'load_pct', from: null, to: 1 }],
  commands: [{ ap_id: apId, command: 'reboot' }],
})

const operations: [
  title: string,
  method: string,
  route: (apId: string) => string,
  body?: (apId: string) => unknown,
][] = [
  ['record', 'GET', (apId) => `/agents/${apId}`],
  ['rejected samples', 'GET', (apId) => `/agents/${apId}/rejections`],
  ['configurations', 'GET', (apId) => `/agents/${apId}/configurations`],
  ['metrics', 'GET', (apId) => `/metrics/agent_data?agent=${apId}`],
  ['chart', 'GET', (apId) => `/metrics/agent_multi_metric_data?agent=${apId}&metrics=clients`],
  ['names of metrics', 'GET', (apId) => `/metrics/agent_metrics?agent=${apId}`],
  ['live samples', 'POST', (apId) => `/agent_data/subscribe?agent_id=${apId}`],
  ['history', 'POST', (apId) => `/agent_data/request_agent_data?agent_id=${apId}&${period()}`],
  ['commands', 'POST', (apId) => `/send_command?agent_id=${apId}&command=reboot`],
  ['decisions', 'POST', () => '/decisions', (apId) => decision(apId)],
  ['actions', 'POST', () => '/decisions', (apId) => decision(apId, 'act')],
  [
    'silences',
    'POST',
    () => '/silences',
    (apId) => ({
      comment: 'x',
      ap_ids: [apId],
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  ],
]

it.for(operations)(
  'an app in the sandbox reaches the %s of emulated access points only',
  async ([, method, route, body]) => {
    const statusOf = async (apId: string) => (await send(method, route(apId), body?.(apId))).status
    expect([await statusOf(real), await statusOf(emulated[0] ?? '')]).toEqual([403, 200])
  },
)

it.for(['advise', 'act'])(
  'an app in the sandbox steers no client to a real access point: %s',
  async (mode) => {
    const apId = emulated[0] ?? ''
    const to = (target: string) => ({
      ...decision(apId, mode),
      commands: [{ ap_id: apId, command: `steer_client c1 ${target}` }],
    })
    expect((await send('POST', '/decisions', to(real))).status).toBe(403)
    expect((await send('POST', '/decisions', to(emulated[1] ?? ''))).status).toBe(200)
  },
)

it('a bulk command of an app in the sandbox skips real access points', async ({ environment }) => {
  const { body } = await send('POST', '/commands', { command: 'reboot', agents: [real, emulated[1]] })
  expect(body).toMatchObject({ agents: 1, skipped: 1 })
  const sent = await environment.sql('select state from commands where ap_id = $1', [real])
  expect(sent.map(({ state }) => state)).toEqual(['skipped'])
})

it.for([
  ['/metrics/agent_details'],
  ['/fleet/agents?emulated=all'],
  ['/fleet/table?emulated=all'],
  ['/fleet/changes?emulated=all'],
  ['/events?emulated=all'],
  ['/events/export?emulated=all'],
  ['/alarms?emulated=all'],
  ['/silences?state=active'],
  ['/decisions'],
  [
    `/telemetry/summary?technology=WiFi&metrics=clients&emulated=all&from=${new Date(Date.now() - 60_000).toISOString()}`,
  ],
  ['/prometheus/api/v1/series?match[]={__name__="clients"}'],
  ['/prometheus/api/v1/query?query=clients'],
  ['/prometheus/api/v1/label/ap_id/values'],
])('%s of an app in the sandbox has no real access point', async ([route = '']) => {
  const { status, body } = await send('GET', route)
  expect([status, body]).toEqual([200, expect.anything()])
  expect(JSON.stringify(body)).not.toContain(real)
})

it('the summary and the figures of an app in the sandbox count emulated access points only', async () => {
  expect((await send('GET', '/fleet/summary?emulated=all')).body.total).toBe(2)
  expect((await send('GET', '/fleet/summary?emulated=all', undefined, adminToken)).body.total).toBe(3)
  expect(
    (await send('GET', '/fleet/agents?emulated=all')).body.map((each: { ap_id: string }) => each.ap_id),
  ).toEqual(emulated.toSorted())
})

it('the live events of an app in the sandbox are those of emulated access points', async ({
  environment,
}) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/events/stream?emulated=all`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const frames: string[] = []
  socket.on('message', (data: Buffer) => frames.push(data.toString()))
  await once(socket, 'open')
  await expect.poll(() => frames.join(''), soon).toContain('start')
  for (const apId of [real, emulated[0] ?? ''])
    await environment.request('POST', '/api/v1/decisions', decision(apId))
  await expect.poll(() => frames.join(''), soon).toContain(emulated[0])
  expect(frames.join('')).not.toContain(real)
  socket.close()
})

it('no access point can be registered with the id of an emulated one', async ({ environment }) => {
  const agent = { ap_id: 'emu-wifi-01234567-1', password: 'p', configuration: {} }
  const { status, body } = await environment.request('POST', '/api/v1/agents/', agent)
  expect([status, body.detail]).toEqual([409, expect.stringContaining('Choose another id')])
})

it('an app is not put into the sandbox while a real access point has the id of an emulated one', async ({
  environment,
}) => {
  // As an earlier version has registered it.
  await environment.sql(`update agents set emulation = null where ap_id = $1 returning ap_id`, [emulated[1]])
  const other = { app_name: uniqueName('late'), api_key: 'k', permissions }
  const { status, body } = await environment.request('POST', '/api/v1/third_party_apps/', other)
  expect([status, body.detail]).toEqual([409, expect.stringContaining(emulated[1] ?? '')])
  await environment.sql(
    'update agents set emulation = (select emulation from agents where ap_id = $1) where ap_id = $2',
    [emulated[0], emulated[1]],
  )
})

it('an administrator promotes an app by a change of its permissions, which is audited', async ({
  environment,
}) => {
  const list = async () =>
    (await environment.request('GET', '/api/v1/third_party_apps/')).body.find(
      (each: { app_name: string }) => each.app_name === app.app_name,
    ).state
  expect(await list()).toBe('sandbox')
  const path = `/api/v1/third_party_apps/${app.app_name}`
  expect(
    (await environment.request('PUT', path, { permissions: { ...permissions, sandbox: false } })).status,
  ).toBe(200)
  // The tokens of the sandbox end.
  expect((await send('GET', `/agents/${real}`)).status).toBe(401)
  expect(await list()).toBe('production')
  const promoted = await tokenOf(url, 'third_party_app', app.app_name, app.api_key)
  expect((await send('GET', `/agents/${real}`, undefined, promoted)).status).toBe(200)
  const { body: entries } = await environment.request(
    'GET',
    `/api/v1/audit?action=app.update&target=${app.app_name}`,
  )
  expect(entries[0].detail).toMatchObject({ sandbox: { from: true, to: false } })
})
