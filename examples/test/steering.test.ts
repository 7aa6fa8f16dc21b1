import { setTimeout as sleep } from 'node:timers/promises'
import { admin, type IsolatedEnvironment, tokenOf, uniqueName } from '@manc/harness'
import { type EmulatorProcess, registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { testWithEngines } from '@manc/harness/fixture'
import { Manc } from '@manc/sdk'
import { afterAll, describe, expect } from 'vitest'
import { emulate, patternsOf, registerApp, run } from './app-process.ts'

const it = testWithEngines.override('variables', {
  MANC_ROLES: 'api,subscriber,ingester',
})

let environment: IsolatedEnvironment
let manc: Manc
let emulator: EmulatorProcess
const example = 'steering.ts'

it.beforeAll(async ({ environment: own }) => {
  environment = own
  await registerEmulatorApp(
    environment.url,
    await tokenOf(environment.url, 'user', admin.username, admin.password),
  )
  manc = new Manc({ url: environment.url, credentials: admin })
  emulator = startEmulator(environment.url, environment)
})

afterAll(async () => {
  emulator?.process.kill('SIGKILL')
})

/** Four crowded halls of WiFi with 5G and LiFi around them, which are nearly idle. */
const network = [
  { access_point_type: 'WiFi', num_access_points: 4, num_devices: 240, spread_m: 10 },
  { access_point_type: '5G', num_access_points: 12, num_devices: 10, spread_m: 50 },
  { access_point_type: 'LiFi', num_access_points: 2, num_devices: 1, spread_m: 3 },
].map((spec) => ({
  ...spec,
  locations: ['51.4586,-2.6025'],
  duration: 600,
  scenario: 'steady' as const,
  seed: 'halls',
}))

/** The mean of the last samples of each, in per cent. */
async function loadsOf(agents: string[]): Promise<number[]> {
  return Promise.all(
    agents.map(async (agent) => {
      // Those of 5 s, unless they come late.
      const { series } = await manc.telemetry.chart(agent, ['load_pct'], { window: '30s' })
      const values = series[0]?.points.map(({ value }) => value) ?? []
      return mean(values.slice(-5))
    }),
  )
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('the steering example', () => {
  it('takes at least 30 % of the load off overloaded WiFi, which stays overloaded without it', async () => {
    // The same seed at the same time: what differs later is what the application did.
    const [steered, left] = await Promise.all([emulate(manc, network), emulate(manc, network)])
    await sleep(5000)
    const wifi = (agents: string[]) => agents.slice(0, 4)
    const loads = await loadsOf(wifi(steered))
    const isOverloaded = (_: unknown, n: number) => (loads[n] ?? 0) > 80
    const overloadIn = async (agents: string[]) => mean(await loadsOf(wifi(agents).filter(isOverloaded)))
    expect(loads.filter(isOverloaded).length).toBeGreaterThanOrEqual(2)
    const before = await Promise.all([overloadIn(steered), overloadIn(left)])

    const scopes = ['agents:read', 'metrics:read', 'commands:send']
    const app = run(example, await registerApp(manc, environment, { scopes, agents: patternsOf(steered) }))
    let after: number[]
    try {
      const wait = { timeout: 180_000, interval: 1000 }
      await expect.poll(() => overloadIn(steered), wait).toBeLessThan(0.7 * (before[0] ?? 0))
      after = await Promise.all([overloadIn(steered), overloadIn(left)])
    } finally {
      app.child.kill('SIGINT')
    }
    expect(await app.ended).toBe(0)

    const change = (n: number) => `${before[n]?.toFixed(1)} % to ${after[n]?.toFixed(1)} %`
    process.stdout.write(
      `${app.output()}Load of overloaded WiFi: with it ${change(0)}, without it ${change(1)}\n`,
    )
    expect(after[1]).toBeGreaterThan(0.9 * (before[1] ?? 0))
    expect(app.output()).toMatch(/ is at [\d.]+ % with \d+ clients: \d+ steered to emu-(5g|lifi)-/)
    expect(app.output().trim()).toMatch(/stopped$/)
    // The neighbours have received the clients.
    const others = await loadsOf([...steered.slice(4), ...left.slice(4)])
    const [withIt, without] = [others.slice(0, 14), others.slice(14)]
    expect(mean(withIt)).toBeGreaterThan(2 * mean(without))
  }, 400_000)

  it('the error says what to do next if the application cannot start', async () => {
    const name = uniqueName('blind')
    await manc.apps.register({ app_name: name, api_key: 'a-long-key', permissions: { agents: [] } })
    const unset = run(example, { MANC_URL: environment.url, MANC_APP: name })
    expect(await unset.ended).toBe(2)
    expect(unset.output()).toContain('MANC_KEY is not set.')
    const wrong = run(example, { MANC_URL: environment.url, MANC_APP: name, MANC_KEY: 'wrong' })
    expect(await wrong.ended).toBe(1)
    expect(wrong.output()).toContain('Log in with a valid name and password.')
    const blind = run(example, { MANC_URL: environment.url, MANC_APP: name, MANC_KEY: 'a-long-key' })
    expect(await blind.ended).toBe(1)
    expect(blind.output()).toContain('No WiFi access point is online. Start some,')
  }, 180_000)
})
