import type { FleetAgent, FleetSummary } from '@manc/contract'
import { call, type IsolatedEnvironment } from '@manc/harness'
import { type EmulatorProcess, registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { testWithEngines } from '@manc/harness/fixture'
import { afterAll, expect } from 'vitest'

const it = testWithEngines.override('variables', {
  MANC_ROLES: 'api,subscriber,ingester',
  // Shorter than the cut, which is a fifth of the emulation.
  MANC_HEALTH_SECONDS: '3',
})

let environment: IsolatedEnvironment
let emulator: EmulatorProcess | undefined

it.beforeAll(async ({ environment: own }) => {
  environment = own
  await registerEmulatorApp(environment.url, environment.adminToken)
  emulator = startEmulator(environment.url, environment)
})

afterAll(() => {
  emulator?.process.kill('SIGKILL')
})

const soon = { timeout: 120_000, interval: 200 }
const request = async (method: string, path: string, body?: object) => {
  const { url, adminToken: token } = environment
  const answer = await call(url, method, `/api/v1${path}`, { token, ...(body && { body }) })
  expect(answer.status).toBe(200)
  return answer.body
}

it('an access point is bad with its reasons while its backhaul is cut, and good again afterwards', async () => {
  const spec = { access_point_type: 'WiFi', num_access_points: 2, locations: ['Bristol'], num_devices: 5 }
  // The backhaul is cut from second 48 to 72.
  const network = { ...spec, duration: 120, scenario: 'backhaul_cut', seed: 'health' }
  const { job_number: job, agents } = await request('POST', '/emulator/spinup', { emulators: [network] })
  const list = async (): Promise<FleetAgent[]> =>
    (await request('GET', '/fleet/agents?sort=health')).filter(({ ap_id }: FleetAgent) =>
      agents.includes(ap_id),
    )
  const healths = async () => (await list()).map(({ health }) => health)
  await expect.poll(healths, soon).toEqual(['good', 'good'])
  await expect.poll(healths, soon).toEqual(['bad', 'bad'])
  const [first] = await list()
  expect(first?.reason).toMatch(/^latency \d+ ms( for \d+ min)?; packet loss \d+ %/)
  expect(first?.reasons.map(({ kpi, level }) => [kpi, level])).toEqual([
    ['latency_ms', 'bad'],
    ['packet_loss_pct', 'bad'],
  ])
  const { health }: FleetSummary = await request('GET', '/fleet/summary')
  expect(health).toMatchObject({ bad: 2, good: 0 })
  await expect.poll(healths, soon).toEqual(['good', 'good'])
  expect((await list()).map(({ reason, reasons }) => [reason, reasons])).toEqual([
    [null, []],
    [null, []],
  ])
  await request('DELETE', `/emulations/${job}`)
}, 300_000)
