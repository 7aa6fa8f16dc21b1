import { admin, type IsolatedEnvironment, tokenOf } from '@manc/harness'
import { type EmulatorProcess, registerEmulatorApp, startEmulator } from '@manc/harness/emulator-process'
import { testWithEngines } from '@manc/harness/fixture'
import { type EmulatorSpec, Manc } from '@manc/sdk'
import { afterAll, describe } from 'vitest'
import { emulate, patternsOf, type RunningApp, registerApp, run } from './app-process.ts'

const it = testWithEngines.override('variables', {
  MANC_ROLES: 'api,subscriber,ingester',
})
const reading = ['agents:read', 'metrics:read']
const acting = [...reading, 'commands:send']
const minutes = { timeout: 180_000, interval: 500 }

let environment: IsolatedEnvironment
let manc: Manc
let emulator: EmulatorProcess
const started: RunningApp[] = []

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
  for (const { child } of started) child.kill('SIGKILL')
  emulator?.process.kill('SIGKILL')
})

const spec = (
  technology: string,
  count: number,
  more: Pick<EmulatorSpec, 'num_devices' | 'duration' | 'scenario'>,
): EmulatorSpec => ({
  access_point_type: technology,
  num_access_points: count,
  locations: ['51.4586,-2.6025'],
  spread_m: 3,
  seed: 'examples',
  ...more,
})

/** Once with --act, and once without it, which needs no scope to send commands. */
async function startBoth(example: string, network: string[]) {
  const agents = patternsOf(network)
  const app = run(example, await registerApp(manc, environment, { scopes: acting, agents }), '--act')
  const dry = run(example, await registerApp(manc, environment, { scopes: reading, agents }))
  started.push(app, dry)
  return { app, dry }
}

async function newest(apId: string, metric: string): Promise<number | undefined> {
  const { series } = await manc.telemetry.chart(apId, [metric], { window: '10s' })
  return series[0]?.points.at(-1)?.value
}

// They wait for events most of the time.
describe.concurrent('an application', () => {
  it('puts idle access points to sleep, wakes them in the rush hour, and wakes all when it stops', async ({
    expect,
  }) => {
    const office = await emulate(manc, [
      spec('WiFi', 3, { num_devices: 16, duration: 300, scenario: 'rush_hour' }),
    ])
    const asleep = async () =>
      (await Promise.all(office.map((apId) => newest(apId, 'uptime_s')))).filter((uptime) => uptime === 0)
        .length
    const { app, dry } = await startBoth('energy-saver.ts', office)
    await expect.poll(app.output, minutes).toMatch(/: sleep \(\d+ clients, [\d.]+ %, [\d.]+ W; emu-wifi-/)
    await expect.poll(asleep, minutes).toBeGreaterThanOrEqual(1)
    // One that serves the clients of others stays awake.
    expect(await asleep()).toBeLessThan(office.length)
    await expect.poll(app.output, minutes).toMatch(/: wake \(emu-wifi-\S+ is at [\d.]+ %\)/)
    app.child.kill('SIGINT')
    expect([await app.ended, app.output()]).toEqual([0, expect.stringMatching(/stopped\n$/)])
    await expect.poll(asleep, minutes).toBe(0)
    expect(app.output()).not.toContain('failed')
    process.stdout.write(`${app.output()}\nWithout --act:\n${dry.output()}`)
    expect(dry.output()).toMatch(/: would sleep \(\d+ clients/)
    expect(dry.output()).not.toMatch(/: sleep|failed/)
  }, 240_000)

  it('wakes an access point whose neighbour is switched off', async ({ expect }) => {
    const pair = await emulate(manc, [spec('WiFi', 2, { num_devices: 2, duration: 180, scenario: 'steady' })])
    const { app } = await startBoth('energy-saver.ts', pair)
    const slept = / (\S+): sleep \(.*; (\S+) at \d+ m/
    await expect.poll(app.output, minutes).toMatch(slept)
    const [, sleeper = '', neighbour = ''] = slept.exec(app.output()) ?? []
    await expect.poll(() => newest(sleeper, 'uptime_s'), minutes).toBe(0)
    await (await manc.commands.send(neighbour, 'power_off')).done()
    await expect.poll(app.output, minutes).toContain(`${sleeper}: wake (${neighbour} is off)`)
    await expect.poll(() => newest(sleeper, 'uptime_s'), minutes).toBeGreaterThan(0)
    expect(app.output()).not.toContain('failed')
  }, 240_000)

  it('moves clients of LiFi before their light is blocked', async ({ expect }) => {
    const network = await emulate(manc, [
      spec('LiFi', 4, { num_devices: 6, duration: 180, scenario: 'lifi_beam_blocked' }),
      spec('WiFi', 3, { num_devices: 2, duration: 180, scenario: 'steady' }),
    ])
    const { app, dry } = await startBoth('lifi-handover.ts', network)
    for (const { output } of [app, dry])
      await expect.poll(output, minutes).toContain('watching 4 of LiFi and 3 others')
    // Its samples have a load of 0 then.
    const off = network.findLast((apId) => apId.startsWith('emu-wifi-')) ?? ''
    await (await manc.commands.send(off, 'power_off')).done()
    const moved = / (\S+): blockage expected in [\d.]+ s, (\d+) of (\d+) clients handed over to emu-wifi-/
    await expect.poll(app.output, minutes).toMatch(moved)
    const [, lamp = '', steered, before] = moved.exec(app.output()) ?? []
    await expect.poll(() => newest(lamp, 'blockage'), minutes).toBe(1)
    const { series } = await manc.telemetry.chart(lamp, ['blockage', 'clients'], { window: '60s' })
    const [blockages = [], clients = []] = series.map(({ points }) => points.map(({ value }) => value))
    const begin = blockages.findLastIndex((value, n) => value === 1 && blockages[n - 1] === 0)
    // Some clients do not follow requests.
    expect(clients[begin - 1]).toBeLessThanOrEqual(Number(before) - Number(steered))
    app.child.kill('SIGINT')
    expect([await app.ended, app.output()]).toEqual([0, expect.stringMatching(/stopped\n$/)])
    expect(dry.output()).toMatch(/: blockage expected in [\d.]+ s, would hand \d+ clients over to emu-wifi-/)
    expect(dry.output()).not.toContain('handed over')
    expect(app.output() + dry.output()).not.toContain(` to ${off} `)
    process.stdout.write(`${app.output()}\nWithout --act:\n${dry.output()}`)
  }, 240_000)

  for (const example of ['energy-saver.ts', 'lifi-handover.ts'])
    it(`${example} says what to do next if it cannot start`, async ({ expect }) => {
      const unset = run(example, { MANC_URL: environment.url })
      expect(await unset.ended).toBe(2)
      expect(unset.output()).toContain('MANC_KEY is not set. Set the address of the controller,')
      const settings = await registerApp(manc, environment, { scopes: reading, agents: [] })
      const wrong = run(example, { ...settings, MANC_KEY: 'wrong' })
      expect(await wrong.ended).toBe(1)
      expect(wrong.output()).toContain('Log in with a valid name and password.')
      const blind = run(example, settings)
      expect(await blind.ended).toBe(1)
      expect(blind.output()).toContain('is online. Start some,')
    }, 60_000)
})
