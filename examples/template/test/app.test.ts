import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Manc } from '@manc/sdk'
import { highLoads } from '../src/app.ts'
import { type Controller, openController } from './controller.ts'

let controller: Controller
let administrator: Manc
const app = { app_name: `my-app-${randomUUID()}`, api_key: randomBytes(24).toString('base64url') }

before(async () => {
  controller = await openController()
  const { url, username, password } = controller
  administrator = new Manc({ url, credentials: { username, password } })
  // In the sandbox it sees emulated access points only.
  const permissions = { scopes: ['agents:read', 'metrics:read'], sandbox: true }
  await administrator.apps.register({ ...app, permissions })
})

after(async () => {
  await administrator?.apps.remove(app.app_name)
  await controller?.close()
})

await test('an access point with many clients is reported', { timeout: 120_000 }, async () => {
  const network = await administrator.emulator.spinUp([
    {
      access_point_type: 'WiFi',
      num_access_points: 2,
      num_devices: 240,
      spread_m: 10,
      locations: ['Bristol'],
      duration: 600,
      scenario: 'steady',
    },
  ])
  try {
    await untilOnline(network.agents)
    const manc = new Manc({
      url: controller.url,
      credentials: { loginType: 'third_party_app', username: app.app_name, password: app.api_key },
    })
    const signal = AbortSignal.timeout(60_000)
    for await (const { apId, loadPct } of highLoads(manc, { signal })) {
      assert.ok(loadPct > 80)
      // Others may run emulated networks too.
      if (network.agents.includes(apId)) break
    }
    assert.equal(signal.aborted, false)
  } finally {
    await administrator.emulations.stop(network.jobNumber)
  }
})

/** Their first samples are stored. */
async function untilOnline(ids: string[]): Promise<void> {
  const online = { ids, state: ['online'], emulated: 'all' } as const
  while ((await Array.fromAsync(administrator.fleet.agents(online))).length < ids.length) await sleep(200)
}
