import type { NetworkEvent } from '@manc/contract'
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

const soon = { timeout: 240_000, interval: 500 }
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
  /** The changes of one agent, oldest first. They remain when the agents are removed. */
  const changes = async (apId: string): Promise<NetworkEvent[]> =>
    (await request('GET', `/events?kind=health&ap_id=${apId}`)).toReversed()
  for (const apId of agents) {
    const lastHealth = async () => {
      const found = await changes(apId)
      return found.some(({ data }) => data['to'] === 'bad') && found.at(-1)?.data['to']
    }
    await expect.poll(lastHealth, soon).toBe('good')
    const bad = (await changes(apId)).find(({ data }) => data['to'] === 'bad')
    expect(bad?.text).toMatch(/ to bad: (latency \d+ ms|packet loss \d+ %)/)
  }
  await request('DELETE', `/emulations/${job}`)
}, 600_000)
