import type { Client } from '@manc/contract'
import { admin, call, type IsolatedEnvironment, type Replica, startReplica, tokenOf } from '@manc/harness'
import { type EmulatorProcess, registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { testWithEngines } from '@manc/harness/fixture'
import { afterAll, describe, expect } from 'vitest'

const it = testWithEngines.override('withServer', false)
/** Longer than any step takes on a busy machine. */
const soon = { timeout: 90_000, interval: 200 }

let environment: IsolatedEnvironment
let server: Replica
let token: string
let emulator: EmulatorProcess

it.beforeAll(async ({ environment: own }) => {
  environment = own
  server = await startReplica({ ...environment.variables, MANC_ROLES: 'api,subscriber,ingester' })
  token = await tokenOf(server.url, 'user', admin.username, admin.password)
  await registerEmulatorApp(server.url, token)
  emulator = startEmulator(server.url, environment)
})

afterAll(async () => {
  emulator?.process.kill('SIGKILL')
  await server?.stop()
})

const get = async (route: string) => (await call(server.url, 'GET', `/api/v1${route}`, { token })).body
const attached = (): Promise<Client[]> => get('/clients?limit=1000')

describe('emulated clients', () => {
  it('are listed where they are attached, are steered by their ids, and are gone with their emulator', async () => {
    const emulators = ['WiFi', '5G'].map((technology) => ({
      access_point_type: technology,
      num_access_points: 2,
      locations: ['51.4545,-2.5879'],
      num_devices: 10,
      duration: 600,
      scenario: 'steady',
    }))
    const spinUp = await call(server.url, 'POST', '/api/v1/emulator/spinup', { token, body: { emulators } })
    expect(spinUp.status).toBe(200)
    await expect.poll(async () => (await attached()).length, soon).toBeGreaterThan(5)
    const clients = await attached()
    expect(clients.every(({ id }) => /^c[\da-f]{20}$/.test(id))).toBe(true)
    expect(clients.every(({ ap_id: apId }) => apId.startsWith('emu-'))).toBe(true)
    // One of them follows a command to another access point, and the controller sees it there.
    const moved = await steerOne()
    expect(moved.result).toMatchObject({ client: moved.id, to: moved.to })
    expect(moved.texts.at(-1)).toMatch(/^moved in \d+ ms$/)
    for (const text of moved.texts.slice(0, -1)) expect(text).toMatch(/^refused with status [17]: /)
    await expect
      .poll(async () => (await get(`/clients/${moved.id}`)).history.map(historyText), soon)
      .toContain(`${moved.from} moved`)
    emulator.process.kill('SIGKILL')
    await expect.poll(async () => (await attached()).length, soon).toBe(0)
  }, 480_000)

  const historyText = ({ ap_id: apId, ended }: { ap_id: string; ended: string }) => `${apId} ${ended}`

  /** Clients may refuse or leave: all are asked, again and again, until one moves. */
  async function steerOne() {
    const texts: string[] = []
    const until = Date.now() + 200_000
    while (Date.now() < until) {
      const clients = await attached()
      const accessPoints: string[] = [...new Set(clients.map(({ ap_id: apId }) => apId))]
      for (const { id, ap_id: from } of clients)
        for (const to of accessPoints.filter((apId) => apId !== from)) {
          const result = await steer(id, from, to)
          if (result) texts.push(result.text)
          if (result?.moved) return { id, from, to, result, texts }
        }
    }
    throw new Error(`no client has moved: ${texts.join('; ')}`)
  }

  /** Undefined if the client had left the access point before. */
  async function steer(client: string, from: string, to: string): Promise<any> {
    const command = encodeURIComponent(`steer_client ${client} ${to}`)
    const { body } = await call(
      server.url,
      'POST',
      `/api/v1/send_command?agent_id=${from}&command=${command}`,
      {
        token,
      },
    )
    await expect
      .poll(async () => (await get(`/jobs/${body.job_number}`)).state, soon)
      .toMatch(/^(succeeded|failed)$/)
    const [{ result }] = await environment.sql('select result from commands where job_number = $1', [
      body.job_number,
    ])
    return result === null ? undefined : JSON.parse(result)
  }
})
